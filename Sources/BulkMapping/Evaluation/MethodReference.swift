/// The methods that expressions may call with `FUNCTION`, for help.
package enum MethodReference {
  /// The methods of a class, or of several.
  package struct Section: Hashable, Sendable {
    package let title: String
    package let examples: [MethodExample]
  }

  /// All methods, class by class.
  package static let sections: [Section] = [
    section("NSString: texts", TextMethod.self),
    section("NSString: questions", TextQuestion.self),
    section("NSString: paths", PathMethod.self),
    section("NSNumber", NumberMethod.self),
    section("NSDecimalNumber", DecimalMethod.self),
    section("NSDate", DateMethod.self),
    section("NSData", DataMethod.self),
    section("NSArray, NSSet and NSOrderedSet", CollectionMethod.self),
    section("NSArray and NSOrderedSet", ArrayMethod.self),
    section("NSSet", SetMethod.self),
    section("All values", ObjectMethod.self),
    Section(title: "Classes", examples: ClassMethod.allCases.map(\.example)),
  ]

  /// The class methods of `NSCharacterSet` that name sets of characters.
  package static let characterSets = CharacterSetConstant.Name.allCases.map(\.rawValue)

  private static func section(
    _ title: String,
    _ methods: (some ReceiverMethod).Type
  ) -> Section {
    Section(title: title, examples: methods.allCases.map(\.example))
  }
}

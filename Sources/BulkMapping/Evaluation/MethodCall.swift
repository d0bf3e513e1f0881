internal import BulkModel

/// A call of a method: the methods of its selector that the receiver may have.
package struct MethodCall: Hashable, Sendable {
  /// The methods, one a class.
  let methods: [FoundationMethod]
  /// The argument that is a set of characters.
  let characters: CharacterSetConstant?

  /// The selector of the methods.
  package let selector: String

  init(_ selector: String, _ methods: [FoundationMethod], _ characters: CharacterSetConstant?) {
    self.selector = selector
    self.methods = methods
    self.characters = characters
  }

  /// The result for a receiver; nil gives nil.
  func value(
    of receiver: EvaluatedValue,
    _ arguments: MethodArguments
  ) throws(EvaluationFailure) -> EvaluatedValue {
    guard !receiver.isNull else { return .null }
    for method in methods {
      if let value = try method.value(of: receiver, arguments) { return value }
    }
    throw EvaluationFailure("\(receiver.kind) does not know \(selector)")
  }
}

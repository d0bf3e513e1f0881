extension ValuePredicate: CustomStringConvertible {
  /// Reads a predicate from its text, in the language of `NSPredicate(format:)`.
  ///
  /// `a AND b AND c` is one predicate of three parts; `NONE` is `NOT ANY`.
  ///
  /// - Throws: ``ExpressionError``, with the place of the fault.
  public init(format: String) throws(ExpressionError) {
    var parser = try ExpressionParser(format)
    self = try parser.wholePredicate()
  }

  /// The text of the predicate, as `predicateFormat` has it.
  ///
  /// Reading the text gives an equal predicate within the limits that the description of a
  /// ``ValueExpression`` has; an `AND` or `OR` of one part reads back as that part.
  public var description: String {
    var printer = ExpressionPrinter()
    printer.write(self)
    return printer.text
  }
}

extension ValueExpression: CustomStringConvertible {
  /// Reads an expression from its text, in the language of `NSExpression(format:)`.
  ///
  /// Arithmetic becomes predefined functions (`a + b` is `add:to:`), `pages.@count` becomes the
  /// function `count:`, and `-x` becomes `multiply:by:` of `-1`, unless `x` is a number.
  ///
  /// - Throws: ``ExpressionError``, with the place of the fault.
  public init(format: String) throws(ExpressionError) {
    var parser = try ExpressionParser(format)
    self = try parser.wholeExpression()
  }

  /// The text of the expression, as `-[NSExpression description]` has it.
  ///
  /// Reading the text gives an equal expression, but for constants that have no literal (dates,
  /// decimals, UUIDs, URIs, bytes, classes: they read back as a `CAST` of the same value), key paths
  /// that hold `@count` (read back as the function) and what no text can say, such as empty keys.
  public var description: String {
    var printer = ExpressionPrinter()
    printer.write(self, in: .assignment)
    return printer.text
  }
}

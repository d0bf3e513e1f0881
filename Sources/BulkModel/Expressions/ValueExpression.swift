/// An expression of a model or a mapping model (`NSExpression`).
public indirect enum ValueExpression: Hashable, Sendable {
  /// What a set expression does with its two collections.
  public enum SetOperation: String, Hashable, Sendable, CaseIterable {
    /// All elements of both.
    case union = "UNION"
    /// The elements of both at once.
    case intersect = "INTERSECT"
    /// The elements of the first without those of the second.
    case minus = "MINUS"
  }

  /// A place in a collection that is named instead of counted: `a[FIRST]`.
  public enum Symbol: String, Hashable, Sendable, CaseIterable {
    /// The first element.
    case first = "FIRST"
    /// The last element.
    case last = "LAST"
    /// The number of elements.
    case size = "SIZE"
  }

  /// A constant.
  case constant(AttributeValue)
  /// A class, by name; it occurs as the target of predefined functions and as a type of `CAST`.
  case classConstant(String)
  /// The object that is evaluated, `SELF`.
  case evaluatedObject
  /// A variable, by its name without `$`.
  case variable(String)
  /// A key path, with its `@` operators, on an operand; on `evaluatedObject` where none is written.
  ///
  /// A parsed `pages.@count` is not a key path but the predefined function `count:` of `pages`, as in
  /// Core Data; all other operators stay in the path. An archive may hold `@count` in a path.
  case keyPath(String, of: ValueExpression)
  /// `FUNCTION(target, "selector:", arguments…)`.
  case function(target: ValueExpression, selector: String, arguments: [ValueExpression])
  /// A predefined function by its selector, with colons where it takes arguments (`add:to:`, `now`).
  case predefined(selector: String, arguments: [ValueExpression])
  /// The index of `objectFrom:withIndex:` where it is a word, as in `a[FIRST]`.
  case symbol(Symbol)
  /// `{a, b, …}`.
  case aggregate([ValueExpression])
  /// Two collections as one.
  case set(SetOperation, ValueExpression, ValueExpression)
  /// `SUBQUERY(collection, $variable, predicate)`.
  case subquery(ValueExpression, variable: String, predicate: ValuePredicate)
  /// `TERNARY(predicate, then, else)`.
  case ternary(ValuePredicate, then: ValueExpression, otherwise: ValueExpression)
  /// `FETCH(request, context, countOnly)`.
  case fetch(request: ValueExpression, context: ValueExpression, countOnly: Bool)
  /// `$variable := value`.
  case assignment(variable: String, value: ValueExpression)
}

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

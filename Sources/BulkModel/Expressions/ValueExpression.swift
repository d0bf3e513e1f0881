/// An expression of a model or a mapping model (`NSExpression`).
public indirect enum ValueExpression: Hashable, Sendable {
  /// The operation of a set expression.
  public enum SetOperation: String, Hashable, Sendable, CaseIterable {
    /// All elements of both.
    case union = "UNION"
    /// The elements that are in both.
    case intersect = "INTERSECT"
    /// The elements of the first without those of the second.
    case minus = "MINUS"
  }

  /// A named index into a collection: `a[FIRST]`.
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
  /// A class, by name; the target of predefined functions, or a type of `CAST`.
  case classConstant(String)
  /// The evaluated object, `SELF`.
  case evaluatedObject
  /// A variable, by its name without `$`.
  case variable(String)
  /// A key path, with its `@` operators, of an operand; of `evaluatedObject` if none is written.
  ///
  /// A parsed `pages.@count` is not a key path but the predefined function `count:` of `pages`, as in Core
  /// Data; all other operators stay in the path. An archived path may contain `@count`.
  case keyPath(String, of: ValueExpression)
  /// `FUNCTION(target, "selector:", arguments…)`.
  case function(target: ValueExpression, selector: String, arguments: [ValueExpression])
  /// A predefined function by its selector, with a colon for each argument (`add:to:`, `now`).
  case predefined(selector: String, arguments: [ValueExpression])
  /// The named index of `objectFrom:withIndex:`, as in `a[FIRST]`.
  case symbol(Symbol)
  /// `{a, b, …}`.
  case aggregate([ValueExpression])
  /// A set operation on two collections.
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
  /// Parses an expression in the language of `NSExpression(format:)`.
  ///
  /// Arithmetic becomes predefined functions (`a + b` is `add:to:`), `pages.@count` becomes the
  /// function `count:`, and `-x` becomes `multiply:by:` of `-1`, unless `x` is a number.
  ///
  /// - Throws: ``ExpressionError``, with the position of the error.
  public init(format: String) throws(ExpressionError) {
    var parser = try ExpressionParser(format)
    self = try parser.wholeExpression()
  }

  /// The text of the expression, as `-[NSExpression description]` has it.
  ///
  /// Parsing the text gives an equal expression, except for constants without a literal (dates, decimals,
  /// UUIDs, URIs, bytes, classes: they become a `CAST` of the same value), key paths that contain `@count`
  /// (which become the function) and expressions without a text form, such as empty keys.
  public var description: String {
    var printer = ExpressionPrinter()
    printer.write(self, in: .assignment)
    return printer.text
  }
}

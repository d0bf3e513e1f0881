package import BulkSupport

/// An expression of a model or a mapping model (`NSExpression`).
public indirect enum ValueExpression: Hashable, Sendable {
  /// The operation of a set expression, with Core Data's numbers.
  public enum SetOperation: Int64, Hashable, Sendable, CaseIterable {
    case union = 5
    case intersect = 6
    case minus = 7
  }

  /// A named index into a collection: `a[FIRST]`.
  public enum Symbol: String, Hashable, Sendable, CaseIterable {
    case first = "FIRST"
    case last = "LAST"
    case size = "SIZE"
  }

  case constant(AttributeValue)
  /// A class, by name; the target of predefined functions, or a type of `CAST`.
  case classConstant(String)
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
  case set(SetOperation, ValueExpression, ValueExpression)
  /// `SUBQUERY(collection, $variable, predicate)`.
  case subquery(ValueExpression, variable: String, predicate: ValuePredicate)
  /// `TERNARY(predicate, then, else)`.
  case ternary(ValuePredicate, then: ValueExpression, otherwise: ValueExpression)
  /// `FETCH(request, context, countOnly)`.
  case fetch(request: ValueExpression, context: ValueExpression, countOnly: Bool)
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
    printer.write(self, in: .set)
    return printer.text
  }
}

/// The predefined functions of expressions, which need no target object.
///
/// Source: `expressionForFunction:arguments:` of Apple's class reference; `canonical:` from that of
/// `NSDerivedAttributeDescription`. Some are not Core Data's.
package enum PredefinedFunction {
  package static let selectors =
    [
      "sum:", "count:", "min:", "max:", "average:", "median:", "mode:", "stddev:",
      "add:to:", "from:subtract:", "multiply:by:", "divide:by:", "modulus:by:", "raise:toPower:",
      "sqrt:", "log:", "ln:", "exp:", "floor:", "ceiling:", "abs:", "trunc:",
      "random", "random:", "now", "uppercase:", "lowercase:", "canonical:",
      "length:",
      "bitwiseAnd:with:", "bitwiseOr:with:", "bitwiseXor:with:", "leftshift:by:", "rightshift:by:",
      "onesComplement:", "castObject:toType:", "noindex:", "objectFrom:withIndex:",
      "distanceToLocation:fromLocation:",
    ] + own

  /// Those that Core Data does not have, and that no mapping for the app may use.
  private static let own = ["uuid", "uuid:", "rowKey"]

  package static let ownNames = Set(own.map { String($0.prefix { $0 != ":" }) })

  /// The selector of a function whose name is written without colons, as in `sum(x)`.
  static func selector(named name: String, argumentCount: Int) -> String? {
    // The older guide uses this name for the second form of `random`.
    if name == "randomn" { return "random:" }
    let candidates = selectors.filter { $0 == name || $0 == name + ":" }
    return candidates.first { self.argumentCount(of: $0) == argumentCount } ?? candidates.first
  }

  package static func argumentCount(of selector: String) -> Int {
    selector.utf8.count { $0 == UInt8(ascii: ":") }
  }

  package static func nearest(to name: String) -> String? {
    guard name.utf8.count <= longestSuggested else { return nil }
    let wanted = name.lowercased()
    let ranked = (selectors + ["FUNCTION", "CAST", "TERNARY", "SUBQUERY", "FETCH"]).map { known in
      let compared = name.contains(":") ? known : String(known.prefix { $0 != ":" })
      return (name: known, distance: NearestName.distance(wanted, compared.lowercased()))
    }
    // As upper: for uppercase: and mod:by: for modulus:by:.
    let word = wanted.prefix { $0 != ":" }
    let longer = selectors.filter {
      $0.hasPrefix(word)
        && (!name.contains(":") || argumentCount(of: $0) == argumentCount(of: name))
    }
    if word.count >= 3, longer.count == 1 { return longer[0] }
    guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(2, wanted.unicodeScalars.count / 3) ? best.name : nil
  }

  private static let longestSuggested = 48
}

/// The key-value coding messages that expressions send to objects.
package enum KeyedSelector: String, CaseIterable, Sendable {
  case key = "valueForKey:"
  case keyPath = "valueForKeyPath:"
}

/// The collection operators of key paths (Key-Value Coding Programming Guide).
///
/// The raw value is the key.
package enum CollectionOperator: String, CaseIterable, Sendable {
  case count = "@count"
  case sum = "@sum"
  case average = "@avg"
  case minimum = "@min"
  case maximum = "@max"
  case distinctUnionOfObjects = "@distinctUnionOfObjects"
  case unionOfObjects = "@unionOfObjects"
  case distinctUnionOfArrays = "@distinctUnionOfArrays"
  case unionOfArrays = "@unionOfArrays"
  case distinctUnionOfSets = "@distinctUnionOfSets"

  /// Whether a key has the form of an operator, known or not.
  package static func isWritten(_ key: String) -> Bool { key.hasPrefix("@") }

  /// Whether the operator unites collections and leaves their elements unchanged.
  package var isUnion: Bool {
    switch self {
    case .count, .sum, .average, .minimum, .maximum: false
    case .distinctUnionOfObjects, .unionOfObjects, .distinctUnionOfArrays, .unionOfArrays,
      .distinctUnionOfSets:
      true
    }
  }
}

extension ValueExpression {
  package init(archived object: ArchivedObject) throws(ExpressionArchiveError) {
    self = try ExpressionArchivePart(root: object).expression()
  }

  /// Reads an archive whose root is an expression, as in mapping models.
  package init(archive bytes: [UInt8]) throws(ExpressionArchiveError) {
    let archive: KeyedArchive
    do throws(CodingError) { archive = try KeyedArchive(bytes) } catch {
      throw ExpressionArchiveError(location: "archive", reason: error.description)
    }
    guard let root = archive.root else {
      throw ExpressionArchiveError(location: KeyedArchive.rootKey, reason: "a value is missing")
    }
    try self.init(archived: root)
  }

  /// An archive whose root is the expression, as a binary property list.
  package func archive() -> [UInt8] {
    var writer = KeyedArchiveWriter()
    let root = writer.add(self)
    let list = writer.finish(root: root).inArchiverOrder(of: expressionKeys)
    return BinaryPropertyListWriter.write(list)
  }
}

extension ValuePredicate {
  package init(archived object: ArchivedObject) throws(ExpressionArchiveError) {
    self = try ExpressionArchivePart(root: object).predicate()
  }
}

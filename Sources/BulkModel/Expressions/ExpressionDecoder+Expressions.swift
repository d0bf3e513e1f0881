import BulkCoding

/// The supported classes of archived expressions.
///
/// The first seven and the fetch request are verified on archives of real mapping models; the keys of the
/// others are those that two open implementations of the format use.
enum ExpressionClass: String {
  case constant = "NSConstantValueExpression"
  case evaluatedObject = "NSSelfExpression"
  case variable = "NSVariableExpression"
  case keyPath = "NSKeyPathExpression"
  case keyPathSpecifier = "NSKeyPathSpecifierExpression"
  case function = "NSFunctionExpression"
  case fetchRequest = "NSFetchRequestExpression"
  case aggregate = "NSAggregateExpression"
  case subquery = "NSSubqueryExpression"
  case ternary = "NSTernaryExpression"
  case set = "NSSetExpression"
  case symbol = "NSSymbolicExpression"
  case assignment = "NSVariableAssignmentExpression"
}

extension ExpressionDecoder {
  /// The class that archives name for the methods of predefined functions.
  static let utilities = "_NSPredicateUtilities"

  mutating func expression(
    _ object: ArchivedObject
  ) throws(ExpressionArchiveError) -> ValueExpression {
    guard let known = object.classNames.lazy.compactMap(ExpressionClass.init).first else {
      guard let name = object.className else {
        throw error(.wrongKind(expected: "an expression"))
      }
      throw error(.unknownClass(name, expected: "an expression"))
    }
    try enter(object)
    let expression = try expression(object, of: known)
    leave(object)
    return expression
  }

  private mutating func expression(
    _ object: ArchivedObject,
    of known: ExpressionClass
  ) throws(ExpressionArchiveError) -> ValueExpression {
    switch known {
    case .constant: return try constant(object)
    case .evaluatedObject: return .evaluatedObject
    case .variable: return .variable(try string("NSVariable", of: object))
    case .keyPathSpecifier: return .keyPath(try path(of: object), of: .evaluatedObject)
    case .keyPath, .function: return try function(object)
    case .fetchRequest:
      return .fetch(
        request: try expression("NSFRExpression", of: object),
        context: try expression("NSMOCExpression", of: object),
        countOnly: object["NSCountOnlyFlag"]?.boolean ?? false
      )
    case .aggregate: return .aggregate(try expressions("NSCollection", of: object))
    case .subquery: return try subquery(object)
    case .ternary:
      return .ternary(
        try predicate("NSPredicate", of: object),
        then: try expression("NSTrueExpression", of: object),
        otherwise: try expression("NSFalseExpression", of: object)
      )
    case .set: return try set(object)
    case .symbol:
      let token = try string("NSToken", of: object)
      guard let symbol = ValueExpression.Symbol(rawValue: token) else {
        throw error(.wrongKind(expected: "FIRST, LAST or SIZE"), at: "NSToken")
      }
      return .symbol(symbol)
    case .assignment:
      return .assignment(
        variable: try variable("NSAssignmentVariable", of: object),
        value: try expression("NSSubexpression", of: object)
      )
    }
  }

  /// A key path, a predefined function or a message; all share one class and its subclass.
  private mutating func function(
    _ object: ArchivedObject
  ) throws(ExpressionArchiveError) -> ValueExpression {
    let target = try expression("NSOperand", of: object)
    let selector = try string("NSSelectorName", of: object)
    let arguments = try elements("NSArguments", of: object)
    if KeyedSelector(rawValue: selector) != nil, arguments.count == 1,
      let specifier = arguments[0], specifier.isKind(of: ExpressionClass.keyPathSpecifier.rawValue)
    {
      return .keyPath(try path(of: specifier), of: target)
    }
    let values = try expressions("NSArguments", of: object)
    if target == .classConstant(Self.utilities) {
      return .predefined(selector: selector, arguments: values)
    }
    return .function(target: target, selector: selector, arguments: values)
  }

  private func path(of specifier: ArchivedObject) throws(ExpressionArchiveError) -> String {
    let path = try string("NSKeyPath", of: specifier)
    let keys = path.split(separator: ".", omittingEmptySubsequences: false)
    guard keys.allSatisfy({ !$0.isEmpty && $0 != "@" }) else {
      throw error(.emptyKey, at: "NSKeyPath")
    }
    return path
  }

  private mutating func subquery(
    _ object: ArchivedObject
  ) throws(ExpressionArchiveError) -> ValueExpression {
    let collectionKey = object.has("NSExpression") ? "NSExpression" : "NSCollection"
    let predicateKey = object.has("NSSubpredicate") ? "NSSubpredicate" : "NSPredicate"
    let variableKey = object.has("NSVariable") ? "NSVariable" : "NSVariableExpression"
    return .subquery(
      try expression(collectionKey, of: object),
      variable: try variable(variableKey, of: object),
      predicate: try predicate(predicateKey, of: object)
    )
  }

  /// The name of a variable, archived as text or as an expression.
  private mutating func variable(
    _ key: String,
    of object: ArchivedObject
  ) throws(ExpressionArchiveError) -> String {
    if let name = object[key]?.string { return name }
    guard case .variable(let name) = try expression(key, of: object) else {
      throw error(.wrongKind(expected: "a variable"), at: key)
    }
    return name
  }

  private mutating func set(
    _ object: ArchivedObject
  ) throws(ExpressionArchiveError) -> ValueExpression {
    let type = try number("NSExpressionType", of: object)
    let known = ValueExpression.SetOperation.allCases.first { $0.archivedType == type }
    guard let operation = known else { throw error(.unknownNumber(type), at: "NSExpressionType") }
    return .set(
      operation,
      try expression("NSLeftExpression", of: object),
      try expression("NSRightExpression", of: object)
    )
  }
}

extension ValueExpression.SetOperation {
  /// `NSExpressionType` of the operation's archive, from `NSExpression.h`.
  var archivedType: Int64 {
    switch self {
    case .union: 5
    case .intersect: 6
    case .minus: 7
    }
  }
}

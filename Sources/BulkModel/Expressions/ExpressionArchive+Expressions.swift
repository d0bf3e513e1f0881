package import BulkSupport

/// The supported classes of archived expressions.
///
/// The first seven and the fetch request are verified on archives of real mapping models; the keys of the
/// others are those that two open implementations of the format use.
private enum ExpressionClass: String {
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
}

/// The keys of expressions whose order is not that of their names.
package let expressionKeys = [
  "NSSelectorName", "NSOperand", "NSArguments", "NSFRExpression", "NSMOCExpression",
]

private let utilities = "_NSPredicateUtilities"

extension ExpressionArchivePart {
  func expression() throws(ExpressionArchiveError) -> ValueExpression {
    let known: ExpressionClass = try known("an expression")
    return try entered().expression(known)
  }

  private func expression(
    _ known: ExpressionClass
  ) throws(ExpressionArchiveError) -> ValueExpression {
    switch known {
    case .constant: try constant()
    case .evaluatedObject: .evaluatedObject
    case .variable: .variable(try self["NSVariable"].text())
    case .keyPathSpecifier: .keyPath(try self["NSKeyPath"].path(), of: .evaluatedObject)
    case .keyPath, .function: try function()
    case .fetchRequest:
      .fetch(
        request: try self["NSFRExpression"].expression(),
        context: try self["NSMOCExpression"].expression(),
        countOnly: self["NSCountOnlyFlag"].object?.boolean ?? false
      )
    case .aggregate: .aggregate(try self["NSCollection"].expressions())
    case .subquery:
      .subquery(
        try self["NSExpression", or: "NSCollection"].expression(),
        variable: try self["NSVariable", or: "NSVariableExpression"].variable(),
        predicate: try self["NSSubpredicate", or: "NSPredicate"].predicate()
      )
    case .ternary:
      .ternary(
        try self["NSPredicate"].predicate(),
        then: try self["NSTrueExpression"].expression(),
        otherwise: try self["NSFalseExpression"].expression()
      )
    case .set:
      .set(
        try self["NSExpressionType"].meaning(),
        try self["NSLeftExpression"].expression(),
        try self["NSRightExpression"].expression()
      )
    case .symbol: .symbol(try self["NSToken"].symbol())
    }
  }

  private func expressions() throws(ExpressionArchiveError) -> [ValueExpression] {
    var expressions: [ValueExpression] = []
    for part in try elements() { expressions.append(try part.expression()) }
    return expressions
  }

  /// A key path, a predefined function or a message; all share one class and its subclass.
  private func function() throws(ExpressionArchiveError) -> ValueExpression {
    let target = try self["NSOperand"].expression()
    let selector = try self["NSSelectorName"].text()
    let arguments = try self["NSArguments"].elements()
    if KeyedSelector(rawValue: selector) != nil, arguments.count == 1,
      arguments[0].object?.isKind(of: ExpressionClass.keyPathSpecifier.rawValue) == true
    {
      return .keyPath(try arguments[0]["NSKeyPath"].path(), of: target)
    }
    let values = try self["NSArguments"].expressions()
    return target == .classConstant(utilities)
      ? .predefined(selector: selector, arguments: values)
      : .function(target: target, selector: selector, arguments: values)
  }

  private func path() throws(ExpressionArchiveError) -> String {
    let path = try text()
    let keys = path.split(separator: ".", omittingEmptySubsequences: false)
    guard keys.allSatisfy({ !$0.isEmpty && $0 != "@" }) else {
      throw error("a key of the key path is empty")
    }
    return path
  }

  /// The name of a variable, archived as text or as an expression.
  private func variable() throws(ExpressionArchiveError) -> String {
    if let name = object?.string { return name }
    guard case .variable(let name) = try expression() else {
      throw error("this is not a variable")
    }
    return name
  }

  private func symbol() throws(ExpressionArchiveError) -> ValueExpression.Symbol {
    guard let symbol = ValueExpression.Symbol(rawValue: try text()) else {
      throw error("this is not FIRST, LAST or SIZE")
    }
    return symbol
  }

  private func constant() throws(ExpressionArchiveError) -> ValueExpression {
    let value = self["NSConstantValue"]
    if value.object != nil { return try value.constantValue() }
    let name = self["NSConstantValueClassName"]
    return name.object == nil ? .constant(.null) : .classConstant(try name.text())
  }

  /// A constant; a constant collection becomes an aggregate of its elements.
  private func constantValue() throws(ExpressionArchiveError) -> ValueExpression {
    guard let object, !object.isKind(of: "NSNull") else { return .constant(.null) }
    if let constant = object.attributeValue { return .constant(constant) }
    switch object.plainValue {
    case .null?: return .constant(.null)
    case .unsigned?: throw error("this is not a number that fits 64 signed bits")
    case .uid?, .dictionary?: throw error("this is not a constant")
    case .boolean?, .integer?, .real?, .date?, .data?, .string?, .array?, nil: break
    }
    guard let count = object.elements?.count else {
      let name = object.className ?? "of nothing"
      throw error("class \(name) is not a constant that is known")
    }
    var constants: [ValueExpression] = []
    for element in try entered(using: count).elements(after: ".") {
      constants.append(try element.constantValue())
    }
    return .aggregate(constants)
  }
}

extension KeyedArchiveWriter {
  /// Adds an expression.
  ///
  /// Forms that occur in archives of Core Data are written identically; see `ExpressionClass` for the
  /// others.
  package mutating func add(_ expression: ValueExpression) -> PropertyList {
    switch expression {
    case .constant(.null): add(.constant, 0, ["NSConstantValueClassName": Self.null])
    case .constant(let value): add(.constant, 0, ["NSConstantValue": add(value: value)])
    case .classConstant(let name): add(.constant, 0, ["NSConstantValueClassName": add(name)])
    case .evaluatedObject: add(.evaluatedObject, 1, [:])
    case .variable(let name): add(.variable, 2, ["NSVariable": add(name)])
    case .keyPath(let path, let operand): add(path: path, of: operand)
    case .function(let target, let selector, let arguments):
      add(
        .function,
        4,
        [
          "NSOperand": add(target), "NSSelectorName": add(selector),
          "NSArguments": add(arguments.map { add($0) }, class: argumentsClass),
        ]
      )
    case .predefined(let selector, let arguments):
      add(.function(target: .classConstant(utilities), selector: selector, arguments: arguments))
    case .symbol(let symbol): add(.symbol, 11, ["NSToken": add(symbol.rawValue)])
    case .aggregate(let elements):
      add(.aggregate, 14, ["NSCollection": add(elements.map { add($0) })])
    case .set(let operation, let left, let right):
      add(
        .set,
        operation.rawValue,
        ["NSLeftExpression": add(left), "NSRightExpression": add(right)]
      )
    case .subquery(let collection, let variable, let predicate):
      add(
        .subquery,
        13,
        [
          "NSExpression": add(collection), "NSVariable": add(variable),
          "NSSubpredicate": add(predicate),
        ]
      )
    case .ternary(let predicate, let then, let otherwise):
      add(
        .ternary,
        20,
        [
          "NSPredicate": add(predicate), "NSTrueExpression": add(then),
          "NSFalseExpression": add(otherwise),
        ]
      )
    case .fetch(let request, let context, let countOnly):
      add(
        .fetchRequest,
        50,
        [
          "NSFRExpression": add(request), "NSMOCExpression": add(context),
          "NSCountOnlyFlag": .boolean(countOnly),
        ]
      )
    }
  }

  private mutating func add(
    _ known: ExpressionClass,
    _ type: Int64,
    _ entries: [String: PropertyList]
  ) -> PropertyList {
    let chain =
      known == .keyPath
      ? ClassChain(known.rawValue, ExpressionClass.function.rawValue, "NSExpression")
      : ClassChain(known.rawValue, "NSExpression")
    return add(class: chain, entries.merging(["NSExpressionType": .integer(type)]) { $1 })
  }

  private mutating func add(path: String, of operand: ValueExpression) -> PropertyList {
    let isOfEvaluatedObject = operand == .evaluatedObject
    let selector: KeyedSelector = isOfEvaluatedObject && !path.contains(".") ? .key : .keyPath
    let target = add(operand)
    let specifier = add(.keyPathSpecifier, 10, ["NSKeyPath": add(path)])
    return add(
      .keyPath,
      isOfEvaluatedObject ? 3 : 4,
      [
        "NSOperand": target, "NSSelectorName": add(selector.rawValue),
        "NSArguments": add([specifier], class: ClassChain("NSMutableArray", "NSArray")),
      ]
    )
  }

  package mutating func add(value: AttributeValue) -> PropertyList {
    switch value {
    case .null: Self.null
    case .boolean(let flag): add(PropertyList.boolean(flag))
    case .integer(let number): add(PropertyList.integer(number))
    case .double(let number): add(PropertyList.real(number))
    case .decimal(let number): add(number)
    case .string(let text): add(text)
    case .date(let seconds): add(date: seconds)
    case .binary(let bytes): add(PropertyList.data(bytes))
    case .uuid(let uuid): add(uuid)
    case .uri(let uri): add(url: uri)
    }
  }
}

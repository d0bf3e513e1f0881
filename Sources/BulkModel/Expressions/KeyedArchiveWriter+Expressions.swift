package import BulkCoding

extension KeyedArchiveWriter {
  /// Adds an expression.
  ///
  /// Forms that occur in archives of Core Data are written identically; see `ExpressionClass` for the
  /// others.
  package mutating func add(_ expression: ValueExpression) -> PropertyList {
    switch expression {
    case .constant(.null): add(.constant, type: 0, ["NSConstantValueClassName": Self.null])
    case .constant(let value): add(.constant, type: 0, ["NSConstantValue": add(value: value)])
    case .classConstant(let name):
      add(.constant, type: 0, ["NSConstantValueClassName": add(name)])
    case .evaluatedObject: add(.evaluatedObject, type: 1, [:])
    case .variable(let name):
      add(.variable, type: 2, ["NSVariable": add(name)])
    case .keyPath(let path, let operand): add(path: path, of: operand)
    case .function(let target, let selector, let arguments):
      add(function: selector, of: add(target), arguments)
    case .predefined(let selector, let arguments):
      add(
        function: selector,
        of: add(.classConstant(ExpressionDecoder.utilities)),
        arguments
      )
    case .symbol(let symbol):
      add(.symbol, type: 11, ["NSToken": add(symbol.rawValue)])
    case .aggregate(let elements): add(.aggregate, type: 14, ["NSCollection": add(elements)])
    case .set(let operation, let left, let right):
      add(
        .set,
        type: operation.archivedType,
        ["NSLeftExpression": add(left), "NSRightExpression": add(right)]
      )
    case .subquery(let collection, let variable, let predicate):
      add(
        .subquery,
        type: 13,
        [
          "NSExpression": add(collection), "NSVariable": add(variable),
          "NSSubpredicate": add(predicate),
        ]
      )
    case .ternary(let predicate, let then, let otherwise):
      add(
        .ternary,
        type: 20,
        [
          "NSPredicate": add(predicate), "NSTrueExpression": add(then),
          "NSFalseExpression": add(otherwise),
        ]
      )
    case .fetch(let request, let context, let countOnly):
      add(
        .fetchRequest,
        type: 50,
        [
          "NSFRExpression": add(request), "NSMOCExpression": add(context),
          "NSCountOnlyFlag": .boolean(countOnly),
        ]
      )
    case .assignment(let variable, let value):
      add(
        .assignment,
        type: 12,
        ["NSAssignmentVariable": add(.variable(variable)), "NSSubexpression": add(value)]
      )
    }
  }

  private mutating func add(
    _ kind: ExpressionClass,
    type: Int64,
    _ entries: [String: PropertyList]
  ) -> PropertyList {
    var entries = entries
    entries["NSExpressionType"] = .integer(type)
    return add(class: kind.classChain, entries)
  }

  private mutating func add(_ elements: [ValueExpression]) -> PropertyList {
    add(elements.map { add($0) })
  }

  private mutating func add(path: String, of operand: ValueExpression) -> PropertyList {
    let isOfEvaluatedObject = operand == .evaluatedObject
    let selector =
      (isOfEvaluatedObject && !path.contains(".") ? KeyedSelector.key : .keyPath).rawValue
    let target = add(operand)
    let specifier = add(.keyPathSpecifier, type: 10, ["NSKeyPath": add(path)])
    return add(
      .keyPath,
      type: isOfEvaluatedObject ? 3 : 4,
      [
        "NSOperand": target, "NSSelectorName": add(selector),
        "NSArguments": add([specifier], class: ClassChain("NSMutableArray", "NSArray")),
      ]
    )
  }

  private mutating func add(
    function selector: String,
    of target: PropertyList,
    _ arguments: [ValueExpression]
  ) -> PropertyList {
    add(
      .function,
      type: 4,
      ["NSOperand": target, "NSSelectorName": add(selector), "NSArguments": add(arguments)]
    )
  }

  mutating func add(value: AttributeValue) -> PropertyList {
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

extension ExpressionClass {
  fileprivate var classChain: KeyedArchiveWriter.ClassChain {
    self == .keyPath
      ? .init(rawValue, Self.function.rawValue, "NSExpression") : .init(rawValue, "NSExpression")
  }
}

extension KeyedArchiveWriter {
  package mutating func add(_ predicate: ValuePredicate) -> PropertyList {
    switch predicate {
    case .constant(let value):
      let kind = value ? PredicateClass.true : .false
      return add(class: ClassChain(kind.rawValue, "NSPredicate"), [:])
    case .comparison(let comparison): return add(comparison)
    case .not(let part): return add(compound: 0, [part])
    case .and(let parts): return add(compound: 1, parts)
    case .or(let parts): return add(compound: 2, parts)
    }
  }

  private mutating func add(compound type: Int64, _ parts: [ValuePredicate]) -> PropertyList {
    add(
      class: ClassChain(PredicateClass.compound.rawValue, "NSPredicate"),
      [
        "NSCompoundPredicateType": .integer(type),
        "NSSubpredicates": add(parts.map { add($0) }),
      ]
    )
  }

  private mutating func add(_ comparison: ValuePredicate.Comparison) -> PropertyList {
    add(
      class: ClassChain(PredicateClass.comparison.rawValue, "NSPredicate"),
      [
        "NSLeftExpression": add(comparison.left), "NSRightExpression": add(comparison.right),
        "NSPredicateOperator": add(operatorOf: comparison),
      ]
    )
  }

  /// Adds the operator of a comparison.
  ///
  /// Order, equality and `CONTAINS` comparisons are written as in the model caches of real stores (25); the
  /// classes of the others are those of an open implementation.
  private mutating func add(operatorOf comparison: ValuePredicate.Comparison) -> PropertyList {
    let type = comparison.operator.rawValue
    let options = PropertyList.integer(comparison.options.rawValue)
    let (isNot, atEnd) = (comparison.operator == .notEqualTo, comparison.operator == .endsWith)
    let (family, own): (String, [String: PropertyList]) =
      switch comparison.operator {
      case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo:
        ("NSComparisonPredicateOperator", ["NSVariant": .integer(type), "NSOptions": options])
      case .equalTo, .notEqualTo:
        ("NSEqualityPredicateOperator", ["NSNegate": .boolean(isNot), "NSOptions": options])
      case .in, .contains: ("NSInPredicateOperator", ["NSFlags": options])
      case .matches: ("NSMatchingPredicateOperator", ["NSFlags": options])
      case .like: ("NSLikePredicateOperator", ["NSFlags": options])
      case .beginsWith, .endsWith:
        (
          "NSSubstringPredicateOperator",
          ["NSFlags": options, "NSPosition": .integer(atEnd ? 1 : 0)]
        )
      case .between: ("NSBetweenPredicateOperator", ["NSFlags": options])
      }
    let entries: [String: PropertyList] = [
      "NSOperatorType": .integer(type), "NSModifier": .integer(comparison.modifier.rawValue),
    ]
    return add(class: ClassChain(family, "NSPredicateOperator"), entries.merging(own) { $1 })
  }
}

import BulkTestSupport

/// Expressions and predicates of every shape that a text can say.
struct RandomExpressions {
  var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func value(depth: Int) -> ValueExpression {
    guard depth > 0 else { return leaf() }
    let below = depth - 1
    switch Int.random(in: 0...11, using: &generator) {
    case 0: return .keyPath(path(), of: value(depth: below))
    case 1:
      let arguments = values(depth: below)
      return .function(target: value(depth: below), selector: name(), arguments: arguments)
    case 2, 3: return arithmetic(depth: below)
    case 4: return .predefined(selector: "uppercase:", arguments: [value(depth: below)])
    case 5: return .predefined(selector: "modulus:by:", arguments: pair(depth: below))
    case 6: return indexed(depth: below)
    case 7: return .aggregate(values(depth: below))
    case 8: return set(depth: below)
    case 9:
      let collection = value(depth: below)
      return .subquery(collection, variable: name(), predicate: predicate(depth: below))
    case 10:
      let condition = predicate(depth: below)
      return .ternary(condition, then: value(depth: below), otherwise: value(depth: below))
    default: return rare(depth: below)
    }
  }

  mutating func predicate(depth: Int) -> ValuePredicate {
    guard depth > 0 else { return Bool.random(using: &generator) ? .constant(true) : comparison(0) }
    let below = depth - 1
    switch Int.random(in: 0...4, using: &generator) {
    case 0: return .not(predicate(depth: below))
    case 1: return .and(predicates(depth: below))
    case 2: return .or(predicates(depth: below))
    default: return comparison(below)
    }
  }

  private mutating func leaf() -> ValueExpression {
    switch Int.random(in: 0...9, using: &generator) {
    case 0: .evaluatedObject
    case 1: .variable(name())
    case 2: .constant(.integer(Int64.random(in: .min ... .max, using: &generator)))
    case 3: .constant(.integer(Int64.random(in: -3...3, using: &generator)))
    case 4: .constant(.double(finiteDouble()))
    case 5: .constant(.boolean(Bool.random(using: &generator)))
    case 6: .constant(.null)
    case 7: .constant(.string(name()))
    case 8: .predefined(selector: "now", arguments: [])
    default: .keyPath(path(), of: .evaluatedObject)
    }
  }

  private mutating func arithmetic(depth: Int) -> ValueExpression {
    let selectors = [
      "add:to:", "from:subtract:", "multiply:by:", "divide:by:", "raise:toPower:",
    ]
    let selector = selectors[Int.random(in: 0..<5, using: &generator)]
    return .predefined(selector: selector, arguments: pair(depth: depth))
  }

  private mutating func indexed(depth: Int) -> ValueExpression {
    let symbol = ValueExpression.Symbol.allCases.randomElement(using: &generator)
    let isNamed = Bool.random(using: &generator)
    let index = isNamed ? symbol.map(ValueExpression.symbol) : nil
    let arguments = [value(depth: depth), index ?? value(depth: depth)]
    return .predefined(selector: "objectFrom:withIndex:", arguments: arguments)
  }

  private mutating func set(depth: Int) -> ValueExpression {
    let operation = ValueExpression.SetOperation.allCases.randomElement(using: &generator)
    return .set(operation ?? .union, value(depth: depth), value(depth: depth))
  }

  private mutating func rare(depth: Int) -> ValueExpression {
    switch Bool.random(using: &generator) {
    case true:
      .fetch(request: value(depth: depth), context: value(depth: depth), countOnly: true)
    case false:
      .predefined(
        selector: "castObject:toType:",
        arguments: [value(depth: depth), .constant(.string("NSDate"))]
      )
    }
  }

  private mutating func comparison(_ depth: Int) -> ValuePredicate {
    let modifiers: [ValuePredicate.Modifier] = [.direct, .all, .any]
    return .comparison(
      .init(
        value(depth: depth),
        ValuePredicate.Operator.allCases.randomElement(using: &generator) ?? .equalTo,
        value(depth: depth),
        modifier: modifiers.randomElement(using: &generator) ?? .direct,
        options: .init(rawValue: Int64.random(in: 0...15, using: &generator))
      )
    )
  }

  private mutating func pair(depth: Int) -> [ValueExpression] {
    [value(depth: depth), value(depth: depth)]
  }

  private mutating func values(depth: Int) -> [ValueExpression] {
    (0..<Int.random(in: 0...3, using: &generator)).map { _ in value(depth: depth) }
  }

  private mutating func predicates(depth: Int) -> [ValuePredicate] {
    (0..<Int.random(in: 2...4, using: &generator)).map { _ in predicate(depth: depth) }
  }

  private mutating func finiteDouble() -> Double {
    let double = Double(bitPattern: generator.next())
    return double.isFinite ? double : 0.1
  }

  private mutating func path() -> String {
    let operators = ["@sum", "@avg", "@distinctUnionOfSets", "@in"]
    var keys = (0..<Int.random(in: 1...3, using: &generator)).map { _ in name() }
    if Bool.random(using: &generator) {
      keys.insert(operators[Int.random(in: 0..<4, using: &generator)], at: 0)
    }
    return keys.joined(separator: ".")
  }

  private mutating func name() -> String {
    let names = [
      "a", "title", "in", "SIZE", "first", "self", "NOT", "function", "union", "nil", "x1", "_y",
      "größe", "with space", "1st", "a-b", "😀", "quote\"d", "back\\slash", "new\nline", "e3",
      "sel:ector:", "%@", "#hash", "\u{0}", "now", "count",
    ]
    return names[Int.random(in: 0..<names.count, using: &generator)]
  }
}

internal import BulkStore

/// The findings of validation: a count for every rule, and the first objects that violate it.
package struct ViolationSummary: Hashable, Sendable {
  /// A rule, identified by its entity, property and text.
  package struct RuleName: Hashable, Sendable {
    package let entity: String
    /// The property; the properties of a uniqueness constraint, with commas.
    package let property: String
    /// The rule, in the words of a model.
    package let rule: String
  }

  /// An object that violates a rule.
  package struct Object: Hashable, Sendable {
    /// In the destination.
    package let key: Int64
    /// The entity and the key of the source object from which it was made; `nil` where that is unknown.
    package let source: SourceObject?
    /// The value at fault; `nil` for no value.
    package let value: String?
  }

  /// An object of the source store.
  package struct SourceObject: Hashable, Sendable {
    package let entity: String
    /// In the source.
    package let key: Int64
  }

  /// A rule that is violated.
  package struct Rule: Hashable, Sendable {
    package let name: RuleName
    package internal(set) var count: Int64
    /// The first of them, at most ten.
    package internal(set) var first: [Object]
  }

  package let total: Int64
  /// The violated rules in the order in which they were found; at most 1,000.
  package let rules: [Rule]
  /// The file with all violations, one JSON object a line.
  package let path: String
}

extension ViolationSummary {
  var title: String {
    let values = total == 1 ? "1 value" : "\(total) values"
    guard !rules.isEmpty, rules.allSatisfy(\.name.isOfExpression) else {
      return "\(values) \(total == 1 ? "breaks a rule" : "break rules") of the destination's model"
    }
    return "\(values) cannot be computed"
  }
}

extension ViolationSummary.RuleName {
  fileprivate var isOfExpression: Bool { rule == Violation.expressionRule }
}

extension ViolationSummary: CustomStringConvertible {
  package var description: String {
    let lines = rules.flatMap { rule -> [String] in
      let objects = rule.count == 1 ? "1 object" : "\(rule.count) objects"
      let name = rule.name
      let fault =
        name.isOfExpression ? "its expression fails for" : "\(name.rule): broken by"
      return ["  \(name.entity).\(name.property): \(fault) \(objects)"]
        + rule.first.map { "    \($0)" }
        + (rule.count > Int64(rule.first.count) ? ["    …"] : [])
    }
    return (lines + ["all are listed in \(path)"]).joined(separator: "\n")
  }
}

extension ViolationSummary.Object: CustomStringConvertible {
  package var description: String {
    "key \(key)" + (source.map { ", from \($0.entity) \($0.key)" } ?? "") + ": \(value ?? "nil")"
  }
}

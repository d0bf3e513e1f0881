internal import BulkCoding
internal import BulkSQLite

/// A rule of a model that every row of some entities must keep.
///
/// The rule is a condition in SQL that lets through all rows that break it, and where SQL cannot say
/// it exactly, a test of the value besides.
struct ValidationRule: Sendable {
  /// What is left to be tested of a row that the condition lets through.
  enum Test: Sendable {
    /// Nothing.
    case none
    /// The text has fewer UTF-16 units than these.
    case shorterThan(Int)
    /// The text has more UTF-16 units than these.
    case longerThan(Int)
    /// The text as a whole is none of a pattern.
    case differsFrom(RegularExpression)
  }

  /// The entities that the rule is about, by number.
  let entities: [Int64]
  /// The property.
  let property: String
  /// The rule, as a model says it.
  let text: String
  /// The column of the property; `nil` where the value is counted.
  let value: String
  /// What is true of the rows that may break the rule, in SQL over `d`.
  let condition: String
  /// What is left to be tested.
  let test: Test

  /// The condition together with the entities.
  var sql: String {
    "d.Z_ENT IN (\(ColumnExpression.list(entities))) AND \(condition)"
  }

  /// Whether a value that was let through breaks the rule; anything, when the watch stops.
  func isBroken(by value: SQLiteValue, _ watch: WorkWatch) -> Bool {
    switch test {
    case .none: return true
    case .shorterThan(let count): return Self.text(value).map { $0.utf16.count < count } ?? false
    case .longerThan(let count): return Self.text(value).map { $0.utf16.count > count } ?? false
    case .differsFrom(let pattern):
      return Self.text(value).map { !pattern.matchesWhole($0, watch) } ?? false
    }
  }

  private static func text(_ value: SQLiteValue) -> String? {
    guard case .text(let text) = value else { return nil }
    return text
  }
}

/// A rule of a model that cannot be asked of a store's rows here, as it could by Core Data.
package struct UnaskedRule: Hashable, Sendable {
  /// The entity whose attribute it is about.
  package let entity: String
  /// The attribute.
  package let attribute: String
  /// The rule, as a model says it.
  package let rule: String
  /// What keeps it from being asked, as what is to be said of it.
  package let reason: String
}

extension UnaskedRule: CustomStringConvertible {
  package var description: String {
    "rule \(rule) of \(entity).\(attribute) is not asked: it \(reason)"
  }
}

extension StoreSchema {
  /// The rules of the model that cannot be asked, in the order of the tables and their columns.
  package var unaskedRules: [UnaskedRule] {
    entityTables.flatMap { ValidationRules($0, of: self).unasked }
  }
}

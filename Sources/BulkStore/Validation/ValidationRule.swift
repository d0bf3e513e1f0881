internal import BulkSupport
internal import BulkSQLite

/// A rule of a model that every row of some entities must satisfy.
///
/// The rule is a condition in SQL that selects all rows that violate it and, if SQL cannot express it
/// exactly, a further test of the value.
struct ValidationRule: Sendable {
  enum Test: Sendable {
    case none
    /// The text has fewer UTF-16 units than these.
    case shorterThan(Int)
    /// The text has more UTF-16 units than these.
    case longerThan(Int)
    /// The whole text does not match a pattern.
    case differsFrom(RegularExpression)
    /// There is no value, or its file is missing beside a store.
    case lacksFile(beside: String)
  }

  /// By number.
  let entities: [Int64]
  let property: String
  /// In the words of a model.
  let text: String
  /// The value at fault, in SQL: the column of the property, or a count.
  let value: String
  /// The condition of the rows that may violate the rule, in SQL over `d`.
  let condition: String
  let test: Test
  /// The column of the attribute that it constrains; `nil` if it constrains links.
  let column: String?
  /// Whether only NULL violates the rule.
  let isRequirement: Bool

  /// The column of an attribute in which only NULL violates the rule.
  var requiredColumn: String? { isRequirement ? column : nil }

  var sql: String {
    "d.Z_ENT IN (\(ColumnExpression.list(entities))) AND \(condition)"
  }

  /// How a selected value violates the rule, `nil` if it does not; undefined if the watch stops.
  func violation(by value: SQLiteValue, _ watch: WorkWatch) -> String? {
    guard case (.differsFrom(let pattern), .text(let text)) = (test, value) else {
      return isViolated(by: value) ? self.text : nil
    }
    do throws(RegularExpressionFault) {
      return try pattern.matchesWhole(text, watch) ? nil : self.text
    } catch {
      return "\(self.text), which \(error)"
    }
  }

  private func isViolated(by value: SQLiteValue) -> Bool {
    switch (test, value) {
    case (.none, _): true
    case (.shorterThan(let count), .text(let text)): text.utf16.count < count
    case (.longerThan(let count), .text(let text)): text.utf16.count > count
    case (.lacksFile, .null): true
    case (.lacksFile(let store), .blob(let bytes)):
      ExternalBinaryData.fileName(in: bytes).map { !ExternalBinaryData.hasFile($0, of: store) }
        ?? false
    case (.shorterThan, _), (.longerThan, _), (.differsFrom, _), (.lacksFile, _): false
    }
  }
}

/// A rule of a model that cannot be checked here, although Core Data could.
package struct UncheckedRule: Hashable, Sendable {
  package let entity: String
  package let attribute: String
  /// In the words of a model.
  package let rule: String
  /// As a clause.
  package let reason: String
}

extension UncheckedRule: CustomStringConvertible {
  package var description: String {
    "rule \(rule) of \(entity).\(attribute) is not checked: it \(reason)"
  }
}

extension StoreSchema {
  package var hasRules: Bool {
    entityTables.contains { !ValidationRules($0, of: self).rules.isEmpty }
  }

  /// In the order of the tables and their columns.
  package var uncheckedRules: [UncheckedRule] {
    entityTables.flatMap { ValidationRules($0, of: self).unchecked }
  }
}

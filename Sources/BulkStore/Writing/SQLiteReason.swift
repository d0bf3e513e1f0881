/// Why SQLite inserts rows or makes an index, instead of having them written as finished pages.
package enum SQLiteReason: Hashable, Sendable {
  // Rows.

  /// Policies insert rows at any time.
  case policies
  /// The table has rows already.
  case filledBefore
  /// Some values are streamed.
  case largeValues
  /// Some rows may come twice.
  case repeatedRows
  /// A constraint of the table's statement is over a column that is not declared to hold integers.
  case constraint(column: String)
  /// The table keeps the highest key that it ever handed out.
  case countedKeys
  /// The table has another form whose pages SQLite alone can write.
  case form
  /// No model explains the table.
  case unmanaged

  // Indexes.

  /// No two rows may have equal terms.
  case unique
  /// It has only the rows for which a condition holds.
  case condition
  /// A column is not declared to hold integers.
  case noIntegers(column: String)
  /// A column gets its values after the rows are written.
  case setLater(column: String)
  /// SQLite inserts the rows of its table.
  case insertedRows
  /// Its table gets no rows.
  case noRows
}

extension SQLiteReason: CustomStringConvertible {
  package var description: String {
    switch self {
    case .policies: "policies insert rows at any time"
    case .filledBefore: "it is filled more than once"
    case .largeValues: "large values are streamed"
    case .repeatedRows: "pairs may be there twice"
    case .constraint(let column): "\(column) must be unique and is not declared to hold integers"
    case .countedKeys: "it has AUTOINCREMENT"
    case .form: "its statement has what only SQLite observes"
    case .unmanaged: "no model explains it"
    case .unique: "it is unique"
    case .condition: "it has a condition"
    case .noIntegers(let column): "\(column) is not declared to hold integers"
    case .setLater(let column): "\(column) is set when all rows are there"
    case .insertedRows: "SQLite inserts the rows of its table"
    case .noRows: "its table gets no rows"
    }
  }
}

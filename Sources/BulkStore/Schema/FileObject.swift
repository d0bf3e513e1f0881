/// An index, trigger, view or virtual table as a store file has it.
package struct FileObject: Hashable, Sendable {
  /// What it is.
  package enum Kind: String, Hashable, Sendable {
    /// An index made by a statement.
    case index
    /// A trigger.
    case trigger
    /// A view.
    case view
    /// A table that a module of SQLite serves.
    case virtualTable
  }

  /// What it is.
  package let kind: Kind
  /// Its name.
  package let name: String
  /// The table that it belongs to; its own name for a view or a virtual table.
  package let table: String
  /// The statement that made it.
  package let sql: String
  /// What an index does; `nil` for anything else.
  package let signature: IndexSignature?
}

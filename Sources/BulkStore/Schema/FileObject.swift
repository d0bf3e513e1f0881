/// An index, trigger, view or virtual table of a store file.
package struct FileObject: Hashable, Sendable {
  /// The kind of a schema object.
  package enum Kind: String, Hashable, Sendable {
    /// An index made by a statement.
    case index
    /// A trigger.
    case trigger
    /// A view.
    case view
    /// A table that a module of SQLite implements.
    case virtualTable
  }

  /// Its kind.
  package let kind: Kind
  /// Its name.
  package let name: String
  /// The table to which it belongs; its own name for a view or a virtual table.
  package let table: String
  /// The statement that made it.
  package let sql: String
  /// The signature of an index; `nil` for any other kind.
  package let signature: IndexSignature?
}

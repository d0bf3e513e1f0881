extension MigrationPlan {
  /// The writer of a destination table's rows and indexes.
  public struct WrittenTable: Codable, Hashable, Sendable {
    /// The writers of rows.
    public enum Rows: String, Codable, Hashable, Sendable {
      /// They are written as finished pages.
      case pages
      case sqlite
      /// The first ones are written as pages, and SQLite inserts all others.
      case both
      case none
    }

    /// The name of the table in the file.
    public var table: String
    /// The writer of its rows.
    public var rows: Rows
    /// The reason why SQLite inserts rows; absent where it inserts none.
    public var reason: String?
    /// Its indexes, those of its keys first.
    public var indexes: [WrittenIndex]
  }

  /// The writer of an index.
  public struct WrittenIndex: Codable, Hashable, Sendable {
    /// The name of the index in the file.
    public var index: String
    /// Whether it is built as finished pages; SQLite makes it after all if a value is not an
    /// integer.
    public var isBuiltAsPages: Bool
    /// Why SQLite makes it; absent where it is built as pages.
    public var reason: String?
  }
}

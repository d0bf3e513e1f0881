extension MigrationPlan {
  /// How the rows of a destination table get into the file, and how its indexes are made.
  public struct WrittenTable: Codable, Hashable, Sendable {
    /// What writes rows.
    public enum Rows: String, Codable, Hashable, Sendable {
      /// They are written as finished pages.
      case pages
      /// SQLite inserts them.
      case sqlite
      /// The first ones are written as pages, and SQLite inserts all others.
      case both
      /// It gets none.
      case none
    }

    /// The table's name.
    public var table: String
    /// What writes its rows.
    public var rows: Rows
    /// Why SQLite inserts rows; absent where it inserts none.
    public var reason: String?
    /// Its indexes, those of its keys first.
    public var indexes: [WrittenIndex]
  }

  /// How an index is made.
  public struct WrittenIndex: Codable, Hashable, Sendable {
    /// The index's name.
    public var index: String
    /// Whether it is built as finished pages; SQLite makes it after all if a value is no integer.
    public var isBuiltAsPages: Bool
    /// Why SQLite makes it; absent where it is built as pages.
    public var reason: String?
  }
}

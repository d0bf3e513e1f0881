public import BulkPlan
public import BulkPlatform

extension MigrationPlan {
  /// Reads a plan that ``StoreMigration/plan()`` or the command line made.
  ///
  /// - Throws: ``StoreMigrationError`` if it is not a plan, has another format, or was edited.
  public init(contentsOf url: URL) throws {
    do {
      try self.init(contentsOf: url.path)
    } catch {
      throw StoreMigrationError.translated(error)
    }
  }
}

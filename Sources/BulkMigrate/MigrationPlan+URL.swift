public import BulkPlan
public import Foundation

extension MigrationPlan {
  /// Reads a plan that ``StoreMigration/plan()`` or the command line made.
  ///
  /// - Throws: ``StoreMigrationError`` if it is no plan, of another format, or was changed by hand.
  public init(contentsOf url: URL) throws {
    do {
      try self.init(contentsOf: url.path)
    } catch {
      throw StoreMigrationError.translated(error)
    }
  }
}

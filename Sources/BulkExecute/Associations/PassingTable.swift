internal import BulkAssociation

/// An association table that serves the rows of one entity mapping and is then removed; it is not durable.
final class PassingTable {
  private let folder: String
  private var writer: AssociationWriter?
  private var table: AssociationTable?

  /// - Parameters:
  ///   - folder: The folder of its files.
  ///   - prefix: The prefix of their names.
  /// - Throws: `AssociationError` if there is no memory.
  init(in folder: String, prefix: String) throws {
    self.folder = folder
    writer = try AssociationWriter(
      folder: folder,
      prefix: prefix,
      memoryLimit: AssociationWriter.leastMemory
    )
  }

  /// Adds an association; source keys ascend.
  func append(_ sourceKey: Int64, _ destinationKey: Int64) throws {
    try writer?.append(AssociationRun(sourceKey: sourceKey, destinationKey: destinationKey))
  }

  /// The table, to which nothing is added any more.
  func finished() throws -> AssociationTable {
    guard let writer = writer.take() else {
      return AssociationTable(segments: [], in: folder)
    }
    let table = try writer.finish()
    self.table = table
    return table
  }

  /// Removes the files of the table, which is no longer read.
  func remove() { table?.removeSegments() }
}

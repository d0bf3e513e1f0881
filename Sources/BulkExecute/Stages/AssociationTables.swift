internal import BulkAssociation

/// The association tables of a migration, one for every entity mapping whose associations do not
/// follow from the keys alone.
///
/// One table is written at a time; finished ones can be asked.
final class AssociationTables {
  /// The bytes that the table that is being written may hold in memory.
  static let writerMemory = 1 << 20

  private let folder: String
  private let attempt: String
  private var writer: AssociationWriter?
  private var tables: [Int: AssociationTable] = [:]
  private var lookups: [Int: OpenLookup] = [:]

  /// A lookup that stays open between keys.
  private final class OpenLookup {
    private var lookup: AssociationLookup

    init(_ table: AssociationTable) throws(AssociationError) {
      lookup = try AssociationLookup(table)
    }

    func destinationKeys(of key: Int64) throws(AssociationError) -> [Int64] {
      try lookup.matches(of: [key]).map(\.destinationKey)
    }
  }

  /// Tables whose segments lie in a folder, under names of one attempt.
  init(in folder: String, attempt: String) {
    self.folder = folder
    self.attempt = attempt
  }

  /// Begins the table of an entity mapping.
  func begin(_ index: Int) throws {
    writer = try AssociationWriter(
      folder: folder,
      prefix: "associations-\(attempt)-\(index)",
      memoryLimit: Self.writerMemory
    )
  }

  /// Adds an association to the table that was begun; source keys ascend.
  func append(_ sourceKey: Int64, _ destinationKey: Int64) throws {
    try writer?.append(AssociationRun(sourceKey: sourceKey, destinationKey: destinationKey))
  }

  /// Ends the table that was begun.
  func finish(_ index: Int) throws {
    guard let writer = writer.take() else { return }
    tables[index] = try writer.finish()
  }

  /// The destination key that a table has for a source key, the first if it has several.
  func destinationKey(of key: Int64, in index: Int) throws -> Int64? {
    try destinationKeys(of: key, in: index).first
  }

  /// All destination keys that a table has for a source key, in the order in which they were made.
  func destinationKeys(of key: Int64, in index: Int) throws -> [Int64] {
    guard let table = tables[index] else { return [] }
    let lookup = try lookups[index] ?? OpenLookup(table)
    lookups[index] = lookup
    return try lookup.destinationKeys(of: key)
  }

  /// Tells every pair of a table in the order of the source keys.
  func pairs(of index: Int, _ body: (Int64, Int64) throws -> Void) throws {
    guard let table = tables[index] else { return }
    var reader = try AssociationReader(table)
    while let runs = try reader.nextRuns() {
      for run in runs {
        for step in 0..<run.length { try body(run.sourceKey + step, run.destinationKey + step) }
      }
    }
  }
}

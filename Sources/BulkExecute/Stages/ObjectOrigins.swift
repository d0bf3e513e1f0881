package import BulkLowering
internal import BulkMapping
internal import BulkModel
package import BulkStore

/// Finds the source rows from which objects of the destination were made, where their keys determine them.
///
/// Policies make objects freely, so theirs are left out.
package struct ObjectOrigins {
  private let mappings: [InstanceMapping]
  private let lookup: RowLookup

  /// - Parameters:
  ///   - work: The work of the migration.
  ///   - session: A session that reads the source.
  package init(_ work: MigrationWork, _ session: StoreSession) {
    mappings = work.instances.creations.map(\.mapping).filter { !$0.hasPolicy }
    lookup = RowLookup(session)
  }

  /// The source object from which the object of an entity with a key was made; `nil` if none is known.
  ///
  /// - Throws: ``StoreError`` if the source cannot be read.
  package func origin(of entity: String, _ key: Int64) throws(StoreError) -> ObjectOrigin? {
    for mapping in mappings where mapping.destination.name == entity {
      let (source, isTooFar) = key.subtractingReportingOverflow(mapping.keyOffset)
      // Ranges of keys do not overlap, so an existing row is the one.
      guard
        !isTooFar,
        try lookup.hasSourceRow(source, in: mapping.sourceTable, ofEntity: mapping.sourceNumber)
      else { continue }
      return ObjectOrigin(mapping: mapping.mapping.name, entity: mapping.source.name, key: source)
    }
    return nil
  }
}

internal import BulkLowering
internal import BulkMapping
internal import BulkModel
internal import BulkPlan
internal import BulkStore

/// Tells from what source rows objects of the destination were made, as far as their keys say it.
///
/// Policies make objects as they like, so theirs are left out.
struct ObjectOrigins {
  private let mappings: [InstanceMapping]
  private let lookup: RowLookup

  init(_ work: MigrationWork, _ session: StoreSession) {
    mappings = work.instances?.creations.map(\.mapping).filter { !$0.hasPolicy } ?? []
    lookup = RowLookup(session)
  }

  /// The source object of which the object of an entity with a key was made; `nil` where none is known.
  ///
  /// - Throws: ``StoreError`` if the source cannot be read.
  func origin(of entity: String, _ key: Int64) throws(StoreError) -> ObjectOrigin? {
    for mapping in mappings where mapping.destination.name == entity {
      let (source, isTooFar) = key.subtractingReportingOverflow(mapping.keyOffset)
      // Ranges of keys do not overlap, so a row that is there is the one.
      guard
        !isTooFar,
        try lookup.hasSourceRow(source, in: mapping.sourceTable, ofEntity: mapping.sourceNumber)
      else { continue }
      return ObjectOrigin(mapping: mapping.mapping.name, entity: mapping.source.name, key: source)
    }
    return nil
  }
}

internal import BulkExecute
internal import BulkPlan
internal import BulkModel
internal import BulkStore

/// Names the source objects from which objects of the destination were made, where they are known.
struct SourceNames {
  private let derived: (work: MigrationWork, lookup: RowLookup)?
  /// The source entities by those of the destination, where rows keep their keys.
  private let kept: [String: String]

  init(_ plan: MigrationPlan, copy: SourceCopy?) throws {
    guard !plan.hasSeveralLegs else {
      (derived, kept) = (nil, [:])
      return
    }
    let work = try plan.work(copy: copy)
    kept =
      work.made == nil
      ? Dictionary(
        firstOf: work.successions.compactMap { succession in
          succession.destination.flatMap { name in succession.source.map { (name, $0) } }
        }
      ) : [:]
    derived = (work, RowLookup(try work.store.sessionInMemory()))
  }

  /// The source object, as `Note 5`; `nil` where it is not known.
  func name(of entity: String, _ key: Int64) -> String? {
    if let source = kept[entity] { return "\(source) \(key)" }
    guard let (work, lookup) = derived, let origin = try? work.origin(of: entity, key, lookup)
    else { return nil }
    return "\(origin.entity) \(origin.key)"
  }
}

internal import BulkModel
internal import BulkStore

/// Counts the rows that inferred changes of attributes concern: missing values, and numbers that do
/// not fit.
struct InferredValues {
  let work: MigrationWork
  let counts: RowCounts

  /// Required attributes that would be nil, a sentence each.
  ///
  /// Core Data moves the data, counts, and rolls back (formats/migration.md 2.10, 2.11).
  func missing() throws(StoreError) -> [String] {
    try sentences { result, rows, count throws(StoreError) in
      guard result.mayLackValue else { return nil }
      let missing: Int64
      switch result.origin {
      case .value: missing = 0
      case .null: missing = rows
      case .source(let name): missing = rows - (try count(name) { .value(in: [$0]) })
      }
      guard missing > 0 else { return nil }
      return Self.refusal(result.owner, isNew: result.before == nil, missing)
    }
  }

  private static func refusal(_ owner: String, isNew: Bool, _ count: Int64) -> String {
    "\(owner) is \(isNew ? "new, required" : "required now") and without a default value, but would be nil in "
      + "\(count) \(count == 1 ? "object" : "objects"); make it optional, give it a default value, or write a "
      + "mapping model"
  }

  /// Numbers that stay in columns of narrower types, a sentence each (formats/migration.md 2.6).
  func misfits() throws(StoreError) -> [String] {
    try sentences { result, _, count throws(StoreError) in
      guard let range = result.narrowedRange, case .source(let name) = result.origin else {
        return nil
      }
      let misfits = try count(name) { .misfit(in: $0, range) }
      guard misfits > 0 else { return nil }
      let type = result.attribute.attributeType.name
      return misfits == 1
        ? "1 value of \(result.owner) does not fit \(type); it stays in the column, as in Core Data"
        : "\(misfits) values of \(result.owner) do not fit \(type); they stay in the column, as in Core Data"
    }
  }

  /// Counts objects by a source attribute's column.
  private typealias Count = (String, (String) -> SourceCounts.Part) throws(StoreError) -> Int64

  private func sentences(
    _ sentence: (AttributeOrigins.Result, Int64, Count) throws(StoreError) -> String?
  ) throws(StoreError) -> [String] {
    let schema = work.layout.schema
    let values = SourceCounts(work.store)
    var sentences: [String] = []
    for succession in work.successions {
      guard let entity = succession.source.flatMap({ schema.model.entity(named: $0) }) else {
        continue
      }
      let number = schema.numbering.number(of: entity.name)
      guard let rows = counts.byEntity[number], rows > 0 else { continue }
      let table = schema.table(of: entity)
      let lineage = Set(schema.model.lineage(of: entity).map(\.name))
      for result in AttributeOrigins(along: succession).results {
        let found = try sentence(result, rows) { name, part throws(StoreError) in
          let column = table.columns.first { column in
            guard case .attribute(let key) = column.role else { return false }
            return key.property == name && lineage.contains(key.entity)
          }
          guard let column else { return 0 }
          return try values.rows(with: [part(column.name)], ofEntity: number, in: table.name)[0]
        }
        if let found { sentences.append(found) }
      }
    }
    return sentences
  }
}

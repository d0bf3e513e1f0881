internal import BulkMapping
internal import BulkModel
internal import BulkStore

extension MissingExternalFiles {
  func losses(_ work: MigrationWork, _ reads: WorkReads) -> [MigrationPlan.Loss] {
    let readers = EntityReaders(work.mapping)
    let schema = work.layout.schema
    return counts.sorted { $0.key < $1.key }.compactMap { number, count in
      guard reads.entities.contains(number),
        reads.reads(column.name, of: column.table, ofEntity: number),
        let entity = schema.model.entity(named: schema.entityName(ofNumber: number))
      else { return nil }
      return MigrationPlan.Loss(
        .values,
        "\(entity.name).\(column.attribute.property)",
        count,
        // What a mapping leaves out may be counted as not read, too.
        isUpperBound: work.made != nil && !readers.readWholly(entity),
        by: .missingFile,
        reason: "the file is missing"
      )
    }
  }
}

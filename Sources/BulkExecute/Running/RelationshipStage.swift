internal import BulkLowering
internal import BulkModel
internal import BulkPlan
internal import BulkStore

/// Sets the relationships that depend on all assignments to them, and counts the links that are lost.
///
/// The checkpoint records what an interrupted run has set or counted.
struct RelationshipStage {
  private let run: StoreRun
  private let associations: AssociationTables
  private let recorder: CheckpointRecorder?
  /// The links that were lost.
  private(set) var losses = LinkLosses()
  /// All of them, if an interrupted run has counted them.
  private let countedBefore: LinkLosses?
  /// The relationships that are set, including those that an interrupted run has set.
  private var linked: [Checkpoint.Linked] = []
  private let linkedBefore: [Checkpoint.Linked]

  init(
    _ run: StoreRun,
    _ associations: AssociationTables,
    _ recorder: CheckpointRecorder?,
    after checkpoint: Checkpoint?
  ) {
    self.run = run
    self.associations = associations
    self.recorder = recorder
    countedBefore = checkpoint?.counted
    linkedBefore = checkpoint?.linked ?? []
  }

  /// Sets relationships of all objects.
  ///
  /// - Parameters:
  ///   - relationships: The relationships.
  ///   - pass: The number of the running pass.
  ///   - isFound: Whether every link of a relationship led to an object while rows were written.
  /// - Throws: ``StoreError`` if rows cannot be read or written.
  mutating func set(
    _ relationships: [LinkedRelationship],
    pass: Int,
    where isFound: (LinkedRelationship) -> Bool
  ) throws {
    let run = run
    let stage = LinkStage(run.work, run.session, into: run.sink, associations: associations) {
      try run.report(.rows, pass: pass)
    }
    for relationship in relationships {
      let done: Checkpoint.Linked
      if linked.count < linkedBefore.count {
        done = linkedBefore[linked.count]
        run.session.transactions.replay(through: done.transaction)
      } else {
        let losses = isFound(relationship) ? LinkLosses() : try stage.set(relationship)
        done = Checkpoint.Linked(transaction: run.session.transactions.count, losses: losses)
      }
      losses.add(done.losses)
      linked.append(done)
      recorder?.linked = linked
    }
  }

  /// Counts the links that are lost where rows are created, when all relationships are set.
  mutating func countLosses() throws {
    defer { recorder?.counted = losses }
    if let countedBefore {
      losses = countedBefore
      return
    }
    let lookup = RowLookup(run.session)
    for loss in run.work.instances.losses {
      let count = try lookup.count(loss.rows)
      let others = try count > 0 ? loss.overlooked.map { try lookup.count($0) } : nil
      losses.add(loss.relationship, count, overlooked: others ?? 0)
      try run.report(.rows)
    }
    losses.untaken = try untaken(lookup)
  }

  /// The source objects of which no object was made, by entity, where the filters of several mappings are
  /// evaluated; each object made has a key that shows its source object.
  private func untaken(_ lookup: RowLookup) throws -> [String: Int64] {
    let creations = run.work.instances.creations
    var result: [String: Int64] = [:]
    for (entity, all) in Dictionary(grouping: creations, by: \.mapping.source.name)
    where all.count > 1 && all.contains(where: { $0.filter != nil }) {
      guard all.allSatisfy({ $0.mapping.derivesKeys && !$0.mapping.isMerging }) else { continue }
      let made = all.map { creation -> [RowTransfer.Condition] in
        let mapping = creation.mapping
        return [
          .isMade(
            in: mapping.destinationTable,
            ofEntity: mapping.destinationNumber,
            by: mapping.keyOffset
          )
        ]
      }
      let mapping = all[0].mapping
      result[entity] = try lookup.count(
        in: mapping.sourceTable,
        where: [.entityIn([mapping.sourceNumber])],
        besides: made
      )
    }
    return result
  }

  /// The first objects that lose links of each relationship.
  ///
  /// - Throws: ``StoreError`` if the source cannot be read.
  func firstLosses() throws -> [String: [LinkLosses.SourceObject]] {
    let lookup = RowLookup(run.session)
    let schema = run.work.layout.schema
    var result = losses.first
    for loss in run.work.instances.losses {
      for key in try lookup.keys(loss.rows, limit: LinkLosses.shown) {
        guard let number = try lookup.entity(ofSourceRow: key, in: loss.rows.source) else {
          continue
        }
        let object = LinkLosses.SourceObject(entity: schema.entityName(ofNumber: number), key: key)
        result[loss.relationship, default: []].append(object)
      }
    }
    return result.mapValues { Array($0.prefix(LinkLosses.shown)) }
  }
}

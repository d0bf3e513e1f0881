internal import BulkCoding
internal import BulkPlan

/// What became of the objects that an entity mapping read.
private struct EntityFate {
  var source: String?
  var name: String
  var read: Int64 = 0
  var written: Int64?
  var isUpperBound = false
  var leftOut: Int64 = 0
  var lost: Int64 = 0
}

extension ReportFacts {
  /// What became of every entity's objects, as a table; empty for a route, whose later steps are not counted by entity.
  ///
  /// Links and values count as lost, too, but not what belongs to no entity.
  package var entityTable: [String] {
    guard plan.route == nil else { return [] }
    return fates.table(
      indent: 2,
      .left("ENTITY") { $0.name },
      .right("READ") { $0.read.grouped },
      .right("WRITTEN") { fate in
        fate.written.map { (fate.isUpperBound ? "at most " : "") + $0.grouped } ?? ""
      },
      .right("LEFT OUT") { $0.leftOut == 0 ? "" : $0.leftOut.grouped },
      .right("LOST") { $0.lost == 0 ? "" : $0.lost.grouped }
    )
  }

  private var fates: [EntityFate] {
    var fates = PlanGraph(self).lanes.flatMap(\.bands).filter { $0.fate != .paired }
      .reduce(into: []) { $0.add($1) }
    for loss in knownLosses where loss.isOfEntity {
      let entity = String(loss.place.prefix { $0 != "." })
      if let index = fates.firstIndex(where: { $0.source == entity }) {
        fates[index].lost += loss.count
      } else {
        fates.append(EntityFate(source: entity, name: entity, lost: loss.count))
      }
    }
    return fates
  }
}

extension [EntityFate] {
  /// Adds the objects of a band: those without a place in the destination to the mapping that read them.
  fileprivate mutating func add(_ band: PlanGraph.Band) {
    let source = band.source ?? ""
    if let destination = band.destination {
      let isSame = band.source == nil || band.source == destination
      append(
        EntityFate(
          source: band.source,
          name: isSame ? destination : "\(source) → \(destination)",
          read: band.read,
          written: band.rows,
          isUpperBound: band.isUpperBound
        )
      )
    } else if band.fate == .removed {
      append(EntityFate(source: source, name: source, read: band.read))
    } else if let index = lastIndex(where: { $0.source == source }) {
      self[index].leftOut += band.rows
    }
  }
}

extension MigrationPlan.Loss {
  /// Whether it is of objects, or of their values and links.
  fileprivate var isOfEntity: Bool {
    switch kind {
    case .objects, .values, .links, .places: true
    case .unmanaged, .history, .mirroring, .schema: false
    }
  }
}

internal import BulkCoding
internal import BulkPlan

/// What became of the objects that an entity mapping read.
private struct EntityFate {
  /// The steps that it is of, from 1.
  var steps: ClosedRange<Int>
  var source: String?
  var name: String
  var read: Int64 = 0
  var written: Int64?
  var isUpperBound = false
  var leftOut: Int64 = 0
  var lost: Int64 = 0
}

extension ReportFacts {
  /// A table of the fates of every entity's objects; a route has them for each step.
  ///
  /// Links and values count as lost, too, but not what belongs to no entity.
  package var entityTable: [String] {
    let steps: [TextTable.ValueColumn<EntityFate>] =
      plan.hasSeveralLegs ? [.left("STEP") { $0.steps.text }] : []
    return fates.table(
      indent: 2,
      steps + [
        .left("ENTITY") { $0.name },
        .right("READ") { $0.read.grouped },
        .right("WRITTEN") { fate in
          fate.written.map { (fate.isUpperBound ? "at most " : "") + $0.grouped } ?? ""
        },
        .right("LEFT OUT") { $0.leftOut == 0 ? "" : $0.leftOut.grouped },
        .right("LOST") { $0.lost == 0 ? "" : $0.lost.grouped },
      ]
    )
  }

  private var fates: [EntityFate] {
    var fates: [EntityFate] = []
    for lane in PlanGraph(self).lanes {
      for band in lane.bands where band.fate != .paired { fates.add(band, lane.steps) }
    }
    for loss in knownLosses where loss.isOfEntity {
      let entity = String(loss.place.prefix { $0 != "." })
      let known = fates.firstIndex { $0.source == entity && $0.steps.contains(loss.step) }
      if let known {
        fates[known].lost += loss.count
        // A later step's plan does not know how many there are.
        if loss.kind == .objects, losses != nil, fates[known].written == nil {
          fates[known].read = loss.count
        }
      } else {
        let steps = loss.step...loss.step
        fates.append(EntityFate(steps: steps, source: entity, name: entity, lost: loss.count))
      }
    }
    return fates
  }
}

extension [EntityFate] {
  /// Adds the objects of a band: those without a place in the destination to the mapping that read them.
  fileprivate mutating func add(_ band: PlanGraph.Band, _ steps: ClosedRange<Int>) {
    let source = band.source ?? ""
    if let destination = band.destination {
      let isSame = band.source == nil || band.source == destination
      append(
        EntityFate(
          steps: steps,
          source: band.source,
          name: isSame ? destination : "\(source) → \(destination)",
          read: band.read,
          written: band.rows,
          isUpperBound: band.isUpperBound
        )
      )
    } else if band.fate == .removed {
      append(EntityFate(steps: steps, source: source, name: source, read: band.read))
    } else if let index = lastIndex(where: { $0.source == source && $0.steps == steps }) {
      self[index].leftOut += band.rows
    }
  }
}

extension ClosedRange<Int> {
  /// The steps as `2` or `2–4`.
  fileprivate var text: String {
    count == 1 ? "\(lowerBound)" : "\(lowerBound)–\(upperBound)"
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

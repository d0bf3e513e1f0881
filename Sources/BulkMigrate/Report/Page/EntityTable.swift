internal import BulkSupport
internal import BulkPlan

/// What became of the objects that an entity mapping read.
private struct EntityRow {
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

extension ReportPage {
  /// A table of what became of every entity's objects; a route has them for each step.
  ///
  /// Links and values count as lost, too, but not what belongs to no entity.
  package var entityTable: [String] {
    let steps: [TextTable.ValueColumn<EntityRow>] =
      plan.hasSeveralLegs
      ? [
        .left("STEP") {
          $0.steps.count == 1
            ? "\($0.steps.lowerBound)" : "\($0.steps.lowerBound)–\($0.steps.upperBound)"
        }
      ] : []
    return entityRows.table(
      indent: 2,
      steps + [
        .left("ENTITY") { $0.name },
        .right("READ") { $0.read.grouped },
        .right("WRITTEN") { row in
          row.written.map { (row.isUpperBound ? "at most " : "") + $0.grouped } ?? ""
        },
        .right("LEFT OUT") { $0.leftOut == 0 ? "" : $0.leftOut.grouped },
        .right("LOST") { $0.lost == 0 ? "" : $0.lost.grouped },
      ]
    )
  }

  private var entityRows: [EntityRow] {
    var rows: [EntityRow] = []
    for lane in PlanBands(self).lanes {
      for band in lane.bands where band.outcome != .paired {
        let row = EntityRow(
          steps: lane.steps,
          source: band.source,
          name: band.destination == band.source ? band.source ?? "" : band.label,
          read: band.read,
          written: band.destination == nil ? nil : band.rows,
          isUpperBound: band.isUpperBound
        )
        if band.destination != nil || band.outcome == .removed {
          rows.append(row)
        } else if let index = rows.lastIndex(where: {
          // The mapping that read them.
          $0.source == band.source && $0.steps == lane.steps
        }) {
          rows[index].leftOut += band.rows
        }
      }
    }
    // Objects, and their values and links.
    let kinds: [MigrationPlan.Loss.Kind] = [.objects, .values, .links, .positions]
    for loss in knownLosses where kinds.contains(loss.kind) {
      let entity = String(loss.owner.prefix { $0 != "." })
      let known = rows.firstIndex { $0.source == entity && $0.steps.contains(loss.step) }
      if let known {
        rows[known].lost += loss.count
        // A later step's plan does not know how many there are.
        if loss.kind == .objects, losses != nil, rows[known].written == nil {
          rows[known].read = loss.count
        }
      } else {
        let steps = loss.step...loss.step
        rows.append(EntityRow(steps: steps, source: entity, name: entity, lost: loss.count))
      }
    }
    return rows
  }
}

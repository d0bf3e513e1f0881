package import BulkStore

/// A to-one relationship that keeps one of several objects.
package struct PartnerChoice: Hashable, Sendable {
  /// As `TABLE.COLUMN`.
  package let owner: String
  package let choice: FirstPartner
  /// Whether some objects may not be migrated, so that others take their place.
  package internal(set) var mayBeDropped = false
  package internal(set) var isRefused = false

  package static func all(
    in composed: TransferSet,
    describedBy step: TransferSet
  ) -> [PartnerChoice] {
    step.entityRows.flatMap { transfer in
      let columns = Set(transfer.assignments.filter { !$0.value.choices.isEmpty }.map(\.column))
      return composed.entityRows.filter { $0.destination == transfer.destination }
        .flatMap(\.assignments).filter { columns.contains($0.column) }.flatMap { assignment in
          assignment.value.choices.map {
            PartnerChoice(owner: "\(transfer.destination).\(assignment.column)", choice: $0)
          }
        }
    }
  }
}

extension InstanceWork {
  package var choices: [PartnerChoice] {
    PartnerChoice.all(in: transfers, describedBy: transfers) + links.flatMap(\.choices)
  }
}

extension LinkedRelationship {
  fileprivate var choices: [PartnerChoice] {
    guard case .rows(let columns) = storage else { return [] }
    return assignments.compactMap { side in
      guard form.isToOne(side.end), let query = side.query, query.steps.count == 1,
        query.steps[0].nearColumn != "Z_PK",
        let column = columns.first(where: { $0.end == side.end })
      else { return nil }
      return PartnerChoice(
        owner: "\(column.table).\(column.key)",
        choice: FirstPartner(lookup: query.steps[0].asWritten, inverseLookup: nil),
        mayBeDropped: true,
        isRefused: side.takesOne
      )
    }
  }
}

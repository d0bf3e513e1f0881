internal import BulkAssociation
internal import BulkLowering

/// When entity mappings assign a relationship or its inverse, looked up for every link.
struct AssigningMoments {
  private struct Assignment {
    let maker: Int64
    let position: Int64
    let isUnited: Bool
  }

  private let first: ContiguousArray<Assignment>
  private let second: ContiguousArray<Assignment>

  init(_ relationship: LinkedRelationship) {
    func assignments(at end: RelationshipEnd) -> ContiguousArray<Assignment> {
      let makers = Set(relationship.sides.map { Int64($0.mapping.firstSharing) })
      return ContiguousArray(
        makers.sorted().compactMap { maker in
          relationship.side(assigning: maker, at: end).map {
            Assignment(
              maker: maker,
              position: Int64($0.position),
              isUnited: $0.mapping.isMerging
            )
          }
        }
      )
    }
    (first, second) = (assignments(at: .first), assignments(at: .second))
  }

  /// When the mapping of an object assigns the relationship at an end; `nil` if it does not.
  func moment(of object: LinkEnd, at end: Link.End) -> Link.Moment? {
    let assignments = end == .first ? first : second
    guard let found = assignments.first(where: { $0.maker == object.maker }) else { return nil }
    return Link.Moment(object, found.position, end, isUnited: found.isUnited)
  }
}

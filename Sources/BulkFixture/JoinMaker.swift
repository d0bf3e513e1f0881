internal import BulkModel
internal import BulkSQLite
internal import BulkStore

/// Makes the pairs of one many-to-many relationship, owner by owner in ascending order of keys.
struct JoinMaker: Sendable {
  /// The owners' keys.
  let owners: KeyPlan.Keys
  private let members: KeyPlan.Keys
  private let mean: Double
  private let isOrdered: Bool
  private let hasOwnerOrder: Bool
  private let stream: UInt64
  private let request: FixtureRequest
  private static let usualMean = 1.5

  init?(
    _ table: JoinTable,
    number: Int,
    schema: StoreSchema,
    plan: KeyPlan,
    request: FixtureRequest
  ) {
    guard
      let owner = schema.model.entity(named: table.owner.entity),
      let relationship = owner.relationships.first(where: { $0.name == table.owner.property }),
      let member = schema.model.entity(named: relationship.destinationEntityName)
    else { return nil }
    owners = plan.keysOfHierarchy(of: owner)
    members = plan.keysOfHierarchy(of: member)
    mean =
      request.links[table.owner.description] ?? request.links[table.inverse.description]
      ?? Self.usualMean
    isOrdered = table.memberOrderColumn != nil
    hasOwnerOrder = table.ownerOrderColumn != nil
    stream = UInt64(number) + 1 << 32
    self.request = request
  }

  /// Appends the pairs of the owner at a place, counted from 0: keys of owner and member, then the
  /// places where the table has columns for them; an owner's place in the inverse is left to be given.
  func append(ownerAt place: Int64, to values: inout [SQLiteValue]) {
    guard members.count > 0 else { return }
    let owner = owners.key(at: place)
    var random = RepeatableRandom(seed: request.seed, stream: stream, index: owner)
    let drawn = memberPlaces(&random)
    for (rank, member) in drawn.enumerated().sorted(by: { $0.element < $1.element }) {
      values.append(.integer(owner))
      values.append(.integer(members.key(at: member)))
      if isOrdered {
        values.append(.integer(MemberOrdering.first + MemberOrdering.step * Int64(rank)))
      }
      if hasOwnerOrder { values.append(.null) }
    }
  }

  /// Distinct members in the order of their places.
  private func memberPlaces(_ random: inout RepeatableRandom) -> [Int64] {
    let most = min(Int64((mean * 2).rounded()), members.count)
    // Evenly from none to twice the mean, so that the mean is met.
    let count = most == 0 ? 0 : random.below(most + 1)
    var result: [Int64] = []
    while result.count < count {
      var member = request.skew.draw(below: members.count, &random)
      while result.contains(member) { member = (member + 1) % members.count }
      result.append(member)
    }
    return result
  }
}

internal import BulkModel
internal import BulkSQLite
internal import BulkStore

/// Makes the pairs of one many-to-many relationship, owner by owner in ascending order of keys.
struct JoinMaker: Sendable {
  /// The owners' keys.
  let owners: KeyPlan.Keys
  private let members: KeyPlan.Keys
  /// The mean number of members of an owner.
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
    let membersPerOwner = Double(members.count) / Double(max(owners.count, 1))
    mean =
      request.links[table.owner.description]
      ?? request.links[table.inverse.description].map { $0 * membersPerOwner } ?? Self.usualMean
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
    let count = memberCount(&random)
    var result: [Int64] = []
    var taken: Set<Int64> = []
    while result.count < count {
      var member = request.skew.draw(below: members.count, &random)
      while !taken.insert(member).inserted { member = (member + 1) % members.count }
      result.append(member)
    }
    return result
  }

  /// A number of members, drawn evenly as far below the mean as above it, so that the mean is met.
  private func memberCount(_ random: inout RepeatableRandom) -> Int64 {
    let target = min(mean, Double(members.count))
    let spread = min(target, Double(members.count) - target)
    let least = Int64(target - spread)
    let width = Int64(spread * 2)
    let count = width == 0 ? least : least + random.below(width + 1)
    // What whole numbers alone would leave out of the mean.
    let rest = target - Double(least) - Double(width) / 2
    return rest > 0 && random.unit() < rest ? count + 1 : count
  }
}

internal import BulkModel
internal import BulkStore

/// Determines whether a relationship follows from each source row alone.
///
/// Core Data assigns one relationship after the other, and each assignment changes the inverse too, so the
/// outcome may depend on all of them. Where no two contradict each other and the source object's key
/// identifies every object, the row is enough.
struct RelationshipProof {
  typealias Assignment = LinkedRelationship.Assignment

  let relationship: LinkedRelationship
  let source: StoreSchema

  private var form: RelationshipForm { relationship.form }
  private var all: [Assignment] { relationship.assignments }

  var isDirect: Bool {
    let concerned = all.flatMap { [$0.mapping] + $0.makers }
    guard !concerned.contains(where: { $0.isMerging || $0.isDividing }), isConsistent, keepsOrder
    else { return false }
    return switch form {
    case .toOne: all.allSatisfy(isSingle)
    case .oneToOne: isPairwise
    case .oneToMany: relationship.assignments(at: .second).allSatisfy(isSingle) && hasOneOwner
    case .manyToMany: all.allSatisfy(isPlain)
    }
  }

  /// The order of the assignments does not matter then.
  private var isConsistent: Bool {
    if case .toOne = form { return true }
    return all.allSatisfy { own in
      relationship.assignments(at: own.end.other).allSatisfy { isConsistent(own, with: $0) }
    }
  }

  private func isConsistent(_ own: Assignment, with other: Assignment) -> Bool {
    let (leadsThere, leadsBack) = (own.leads(to: other.mapping), other.leads(to: own.mapping))
    guard leadsThere || leadsBack else { return true }
    // A to-many relationship keeps the objects that only the opposite one names
    // (formats/migration.md 8.10).
    guard leadsThere == leadsBack else { return !form.isToOne((leadsThere ? other : own).end) }
    guard let path = own.path, let back = other.path else { return false }
    return isReverse(path, of: back) && isUnambiguous(own) && isUnambiguous(other)
  }

  /// A to-one relationship keeps the first of several objects.
  private func isUnambiguous(_ assignment: Assignment) -> Bool {
    guard form.isToOne(assignment.end), let path = assignment.path else { return true }
    return assignment.hasDistinctMakers && source.isSingle(path)
  }

  private func isReverse(_ path: RelationshipPath, of other: RelationshipPath) -> Bool {
    guard path.links.count == other.links.count else { return false }
    return zip(path.links, other.links.reversed()).allSatisfy { link, back in
      guard let rows = source.rows(of: link), let others = source.rows(of: back) else {
        return false
      }
      let isSwapped =
        rows.nearColumn == others.farColumn && rows.farColumn == others.nearColumn
      return rows.table == others.table && (isSwapped || isSymmetric(link) && isSymmetric(back))
    }
  }

  private func isSingle(_ assignment: Assignment) -> Bool {
    guard let path = assignment.path else { return true }
    return source.isSingle(path) && assignment.hasDistinctMakers
      && !assignment.makers.contains(where: \.isRecorded)
  }

  /// Only the owner's mapping assigns then.
  private var hasOneOwner: Bool {
    var owners: [Int: [Assignment]] = [:]
    for assignment in relationship.assignments(at: .first) {
      for member in assignment.makers
      where relationship.assignment(by: member, at: .second) == nil {
        owners[member.index, default: []].append(assignment)
      }
    }
    return owners.values.allSatisfy { assignments in
      let paths = assignments.compactMap { $0.path?.reversed }
      return paths.allSatisfy { source.isSingle($0) && $0.links == paths[0].links }
        && !assignments.contains(where: \.mapping.isRecorded)
        && Set(assignments.map(\.mapping.source.name)).count == assignments.count
    }
  }

  private var isPairwise: Bool {
    guard !form.isSelfInverse || all.allSatisfy({ $0.path == nil }) else { return false }
    var pairs: Set<[Int]> = []
    for assignment in all {
      guard let path = assignment.path else { continue }
      guard path.links.isEmpty, !assignment.mapping.isRecorded,
        !assignment.makers.contains(where: \.isRecorded)
      else { return false }
      for maker in assignment.makers {
        let pair = [assignment.mapping.index, maker.index]
        pairs.insert(assignment.end == .first ? pair : pair.reversed())
      }
    }
    return Set(pairs.map { $0[0] }).count == pairs.count
      && Set(pairs.map { $0[1] }).count == pairs.count
  }

  private func isPlain(_ assignment: Assignment) -> Bool {
    guard let path = assignment.path else { return true }
    guard assignment.hasDistinctMakers, !assignment.mapping.isRecorded,
      !assignment.makers.contains(where: \.isRecorded),
      path.links.count < 2, path.links.allSatisfy({ source.rows(of: $0) != nil })
    else { return false }
    // A symmetric link may be stored in one direction, but is written in both.
    return !form.isSelfInverse && !path.links.contains(where: isSymmetric)
  }

  private func isSymmetric(_ link: SourceLink) -> Bool { source.model.isOwnInverse(link.key) }

  private var keepsOrder: Bool {
    (!relationship.isOrdered || keepsOrder(of: .first))
      && (!relationship.isInverseOrdered || keepsOrder(of: .second))
  }

  private func keepsOrder(of end: RelationshipEnd) -> Bool {
    let own = relationship.assignments(at: end)
    let across = relationship.assignments(at: end.other)
    let members = own.flatMap(\.makers) + across.map(\.mapping)
    guard Set(members.map(\.keyOffset)).count < 2 else { return false }
    guard own.allSatisfy({ $0.path?.links.count ?? 0 < 2 }) else { return false }
    // Members added one by one come mapping by mapping.
    let isAlone = Set(members.map(\.index)).count < 2
    return across.allSatisfy { assignment in
      guard let path = assignment.path else { return true }
      let owners = assignment.makers.compactMap { relationship.assignment(by: $0, at: end) }
      // Members that the owner's own assignment omits go to the end.
      guard owners.allSatisfy({ $0.leads(to: assignment.mapping) }) else { return false }
      return isAlone || owners.count == assignment.makers.count
        || path.links.count == 1 && source.rows(of: path.links[0])?.nearPositionColumn != nil
    }
  }
}

internal import BulkModel
internal import BulkStore

/// Determines which relationships follow from each source row alone.
///
/// Core Data assigns one relationship after the other, and each assignment changes the inverse too, so the
/// outcome may depend on all of them. Where no two contradict each other and the source object's key
/// identifies every object, the row is enough.
struct RelationshipProof: Sendable {
  let links: LinkResolver

  private var source: StoreSchema { links.source }

  func isDirect(_ sides: RelationshipSides) -> Bool {
    guard !sides.concernMergedOrDivided, isConsistent(sides), keepsOrder(sides) else {
      return false
    }
    return switch sides.form {
    case .toOne: sides.first.allSatisfy(isSingle)
    case .oneToOne: isPairwise(sides)
    case .oneToMany: sides.second.allSatisfy(isSingle) && hasOneOwner(sides)
    case .manyToMany: sides.all.allSatisfy { isPlain($0, of: sides) }
    }
  }

  /// The order of the assignments does not matter then.
  private func isConsistent(_ sides: RelationshipSides) -> Bool {
    if case .toOne = sides.form { return true }
    return sides.first.allSatisfy { isConsistent($0, with: sides.second, sides.form) }
      && sides.second.allSatisfy { isConsistent($0, with: sides.first, sides.form) }
  }

  private func isConsistent(
    _ side: RelationshipSide,
    with others: [RelationshipSide],
    _ form: RelationshipForm
  ) -> Bool {
    for other in others {
      let (leadsThere, leadsBack) = (side.leads(to: other.mapping), other.leads(to: side.mapping))
      guard leadsThere || leadsBack else { continue }
      guard leadsThere == leadsBack else {
        // A to-many relationship keeps the objects that only the opposite one names
        // (formats/migration.md 8.10).
        guard !form.isToOne((leadsThere ? other : side).end) else { return false }
        continue
      }
      guard let own = side.objects, let opposite = other.objects,
        isReverse(own.path, of: opposite.path), isUnambiguous(side, form),
        isUnambiguous(other, form)
      else { return false }
    }
    return true
  }

  /// A to-one relationship keeps the first of several objects.
  private func isUnambiguous(_ side: RelationshipSide, _ form: RelationshipForm) -> Bool {
    guard form.isToOne(form.isSelfInverse ? .first : side.end), let (path, _) = side.objects else {
      return true
    }
    return side.hasDistinctMakers && isSingle(path)
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

  private func isSingle(_ path: RelationshipPath) -> Bool {
    path.links.allSatisfy { links.rows(of: $0)?.isInNearRow ?? false }
  }

  private func isSingle(_ side: RelationshipSide) -> Bool {
    guard let (path, makers) = side.objects else { return true }
    return isSingle(path) && side.hasDistinctMakers && !makers.contains(where: \.isRecorded)
  }

  /// Only the owner's mapping assigns then.
  private func hasOneOwner(_ sides: RelationshipSides) -> Bool {
    var owners: [Int: [RelationshipSide]] = [:]
    for side in sides.first {
      for member in side.relationship.makers where sides.side(of: member, at: .second) == nil {
        owners[member.index, default: []].append(side)
      }
    }
    return owners.values.allSatisfy { sides in
      let paths = sides.compactMap { $0.objects?.path.reversed }
      return paths.allSatisfy { isSingle($0) && $0.links == paths[0].links }
        && !sides.contains(where: \.mapping.isRecorded)
        && Set(sides.map(\.mapping.source.name)).count == sides.count
    }
  }

  private func isPairwise(_ sides: RelationshipSides) -> Bool {
    guard !sides.form.isSelfInverse || sides.all.allSatisfy({ $0.objects == nil }) else {
      return false
    }
    var pairs: Set<[Int]> = []
    for side in sides.all {
      guard let (path, makers) = side.objects else { continue }
      guard path.links.isEmpty, !side.mapping.isRecorded, !makers.contains(where: \.isRecorded)
      else { return false }
      for maker in makers {
        let pair = [side.mapping.index, maker.index]
        pairs.insert(side.end == .first ? pair : pair.reversed())
      }
    }
    return Set(pairs.map { $0[0] }).count == pairs.count
      && Set(pairs.map { $0[1] }).count == pairs.count
  }

  private func isPlain(_ side: RelationshipSide, of sides: RelationshipSides) -> Bool {
    guard let (path, makers) = side.objects else { return true }
    guard side.hasDistinctMakers, !side.mapping.isRecorded, !makers.contains(where: \.isRecorded),
      path.links.count < 2, path.links.allSatisfy({ source.rows(of: $0) != nil })
    else { return false }
    // A symmetric link may be stored in one direction, but is written in both.
    return !sides.form.isSelfInverse && !path.links.contains(where: isSymmetric)
  }

  private func isSymmetric(_ link: SourceLink) -> Bool {
    source.model.isOwnInverse(link.key)
  }

  private func keepsOrder(_ sides: RelationshipSides) -> Bool {
    let isOrdered = links.destination.model.isOrdered
    return (!isOrdered(sides.form.first) || keepsOrder(sides, of: .first))
      && (!(sides.form.second.map(isOrdered) ?? false) || keepsOrder(sides, of: .second))
  }

  private func keepsOrder(_ sides: RelationshipSides, of end: RelationshipEnd) -> Bool {
    let own = sides.at(end)
    let across = sides.at(end.other)
    let members = own.flatMap(\.relationship.makers) + across.map(\.mapping)
    guard Set(members.map(\.keyOffset)).count < 2 else { return false }
    guard own.allSatisfy({ $0.objects?.path.links.count ?? 0 < 2 }) else { return false }
    // Members added one by one come mapping by mapping.
    let isAlone = Set(members.map(\.index)).count < 2
    return across.allSatisfy { side in
      guard let (path, makers) = side.objects else { return true }
      let owners = makers.compactMap { sides.side(of: $0, at: end) }
      // Members that the owner's own assignment omits go to the end.
      guard owners.allSatisfy({ $0.leads(to: side.mapping) }) else { return false }
      return isAlone || owners.count == makers.count
        || path.links.count == 1 && source.rows(of: path.links[0])?.nearPositionColumn != nil
    }
  }
}

/// All relationships of the destination: those that follow from each source row, and those that follow from
/// all assignments together.
struct DirectRelationships: Sendable {
  private(set) var linked: [LinkedRelationship] = []
  private(set) var all: [LinkedRelationship] = []
  /// Of the relationships that follow from rows, with their inverses, and the end of the relationship.
  private(set) var direct: [PropertyKey: (sides: RelationshipSides, end: RelationshipEnd)] = [:]

  init(
    _ mappings: [InstanceMapping],
    _ relationships: MappedRelationships,
    _ links: LinkResolver
  ) {
    let (proof, destination) = (RelationshipProof(links: links), links.destination)
    let makers = Dictionary(grouping: mappings, by: \.destination.name)
    for form in RelationshipForm.all(in: destination) {
      let sides = RelationshipSides(form, makers, relationships, in: destination.model)
      let relationship = LinkedRelationship(sides, from: links.source, to: destination)
      if let relationship, !relationship.sides.isEmpty { all.append(relationship) }
      if proof.isDirect(sides) {
        if let second = form.second { direct[second] = (sides, .second) }
        direct[form.first] = (sides, .first)
      } else if let relationship {
        linked.append(relationship)
      }
    }
  }
}

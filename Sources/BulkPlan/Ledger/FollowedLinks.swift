internal import BulkStore

/// The outcome of a source relationship's links where entity mappings make objects.
///
/// A link is carried if an object made of the one at its near end has one made of that at its far
/// end, in a relationship for which an entity mapping follows it. It is lost if it is not carried
/// although its row is kept: a pair, or the row of an object that becomes another.
struct FollowedLinks {
  let links: SourceLinks
  private let work: MigrationWork
  private let schema: StoreSchema
  private let followers: [Follower]

  fileprivate struct Follower {
    let relationship: LinkedRelationship
    let side: LinkedRelationship.Assignment
    let isForward: Bool
  }

  private init(
    _ links: SourceLinks,
    by work: MigrationWork,
    among assignments: [(relationship: LinkedRelationship, side: LinkedRelationship.Assignment)]
  ) {
    (self.links, self.work) = (links, work)
    schema = work.layout.schema
    followers = assignments.flatMap { relationship, side in
      Self.directions(side, links).map {
        Follower(relationship: relationship, side: side, isForward: $0)
      }
    }
  }

  static func all(by work: MigrationWork) -> [FollowedLinks] {
    let assignments = work.instances.relationships.flatMap { relationship in
      relationship.assignments.map { (relationship: relationship, side: $0) }
    }
    let indexes = Dictionary(grouping: assignments.indices) {
      assignments[$0].side.query?.steps.first?.table
    }
    return SourceLinks.all(in: work.layout.schema).map { links in
      let found = Set([links.rows.table, links.rows.farTable]).flatMap { indexes[$0] ?? [] }
      return FollowedLinks(links, by: work, among: found.sorted().map { assignments[$0] })
    }
  }

  /// Whether an assignment follows links forward, backward, or in both directions; empty if it does not.
  private static func directions(
    _ side: LinkedRelationship.Assignment,
    _ links: SourceLinks
  ) -> [Bool] {
    guard let query = side.query, query.steps.count == 1, let step = query.steps.first else {
      return []
    }
    if links.are(step) {
      return step.isSymmetric ? [true, false] : [step.nearColumn == links.rows.nearColumn]
    }
    // The partner's key shows the same link.
    guard let back = links.backColumn, step.table == links.rows.farTable, step.nearColumn == "Z_PK",
      step.farColumn == back
    else { return [] }
    return [false]
  }

  /// Whether no assignment follows the links alone.
  var isUnread: Bool { followers.isEmpty }

  private var near: ColumnExpression { links.nearKey }
  private var far: ColumnExpression { links.farKey }

  private var ends: [(key: ColumnExpression, table: String)] {
    [(near, links.rows.nearTable), (far, links.rows.farTable)]
  }

  /// The end whose rows hold the links; `nil` for pairs.
  private var holder: (key: ColumnExpression, table: String)? {
    links.holders == nil ? nil : ends.first { $0.key == .column("Z_PK") }
  }

  private func whereMade(_ end: (key: ColumnExpression, table: String)) -> ColumnExpression {
    .any(work.instances.whereMade(from: end.key, in: end.table))
  }

  /// The conditions of links that nothing carries, whether or not their rows are kept; what most links do not satisfy
  /// comes first.
  private var uncarried: [ColumnExpression] {
    var carried: [[ColumnExpression]] = []
    for follower in followers {
      let found = follower.relationship.carries(
        from: follower.isForward ? near : far,
        to: follower.isForward ? far : near,
        by: follower.side
      )
      carried += found.filter { !carried.contains($0) }
    }
    let repeated = links.repeats { key, table in whereMade((key, table)) }
    return [.none(carried + repeated)] + links.conditions
  }

  /// The conditions of links that are lost; those in a file of rejects are not, where such files have source objects.
  private func lost(besidesRejects: Bool) -> [ColumnExpression] {
    let leftOut = besidesRejects ? leftOut : []
    return (holder.map { [whereMade($0)] } ?? []) + uncarried
      + (leftOut.isEmpty ? [] : [.none(leftOut)])
  }

  /// The conditions that an object which should have got the links, made of the row that holds them, is in a file of
  /// rejects, with them; one of these holds.
  ///
  /// No such file has the links of an object that a policy made or that was merged with another one, nor those of a
  /// relationship without inverse to the object.
  private var leftOut: [[ColumnExpression]] {
    guard let holder else { return [] }
    let isNear = holder.key == near
    let column = isNear ? links.rows.farColumn : links.rows.nearColumn
    let table = schema.entityTables.first { $0.name == links.rows.table }
    guard case .foreignKey? = table?.columns.first(where: { $0.name == column })?.role else {
      return []
    }
    let mappings = followers.flatMap {
      $0.isForward == isNear ? [$0.side.mapping] : $0.side.makers
    }
    let indexes = Set(mappings.filter { $0.derivesKeys && !$0.isMerging }.map(\.index))
    return work.instances.creations.filter { indexes.contains($0.mapping.index) }
      .map { $0.took + [.none([$0.mapping.whereMade(from: holder.key)])] }
  }

  /// The number of links in rows with keys in a range that are lost, how many of these are between objects that were
  /// made, and how many of those objects were made for the relationship; only the first one where no assignment follows
  /// the links.
  func lost(
    _ lookup: RowLookup,
    besidesRejects: Bool,
    within keys: ClosedRange<Int64>
  ) throws(StoreError) -> [Int64] {
    let makers = followers.flatMap { follower in
      follower.side.makers.map { maker in
        follower.side.mapping.whereMade(from: follower.isForward ? near : far)
          + maker.whereMade(from: follower.isForward ? far : near)
      }
    }
    let others = isUnread ? [] : [ends.map(whereMade), [.any(makers)]]
    return try lookup.counts(
      in: links.rows.table,
      where: lost(besidesRejects: besidesRejects),
      and: others,
      within: keys
    )
  }

  /// The links in rows with keys in a range without an association although a policy made something of them, or of some.
  func unassociated(
    _ lookup: RowLookup,
    within keys: ClosedRange<Int64>
  ) throws(StoreError) -> [Int64] {
    let ends = holder.map { [$0] } ?? ends
    return try lookup.counts(
      in: links.rows.table,
      where: uncarried + [.none([ends.map(whereMade)])],
      within: keys
    )
  }

  /// The least keys of objects that lose links, at most some.
  func first(
    _ limit: Int,
    _ lookup: RowLookup,
    besidesRejects: Bool
  ) throws(StoreError) -> [Int64] {
    try lookup.values(
      of: holder?.key ?? near,
      in: links.rows.table,
      where: lost(besidesRejects: besidesRejects),
      limit: limit
    )
  }

  var losers: String { (holder ?? ends[0]).table }

  var owners: Set<String> {
    Set(
      followers.flatMap { [$0.relationship.form.first, $0.relationship.form.second] }
        .compactMap { $0.map { "\($0)" } }
    )
  }

  /// Whether a policy makes objects of some at the ends.
  var isOfPolicies: Bool {
    work.instances.creations.contains {
      $0.mapping.hasPolicy && (links.near + links.far).contains($0.mapping.sourceNumber)
    }
  }

  /// Links that a plan counts, and the reason for their loss.
  struct Foreseen {
    let links: SourceLinks
    let cause: MigrationPlan.Loss.Cause
    let reason: String
    let isUpperBound: Bool
    /// The conditions that links must violate to be lost.
    var except: [[ColumnExpression]] = []
  }

  /// The links that are certainly lost among those that are followed, and those that may be lost,
  /// by the entities at the far end; objects are made of the kept ones.
  func foreseen(_ kept: Set<Int64>, isWhole: (Int64) -> Bool) -> [Foreseen] {
    let holders = links.holders
    let isCertain = (holders ?? []).allSatisfy(isWhole) && (links.isFirst || holders == nil)
    var result: [Foreseen] = []
    func add(
      _ numbers: [Int64],
      by cause: MigrationPlan.Loss.Cause,
      _ reason: String,
      isUpperBound: Bool
    ) {
      guard !numbers.isEmpty, let some = links.leading(to: Set(numbers)) else { return }
      result.append(
        Foreseen(links: some, cause: cause, reason: reason, isUpperBound: isUpperBound)
      )
    }
    let isNearKept = links.near.allSatisfy(kept.contains)
    let never = links.far.filter { far in !followers.contains { $0.covers(far, of: links) } }
    let gone = isNearKept ? never.filter { !kept.contains($0) } : never
    add(gone, by: .target, Self.notMigrated, isUpperBound: !isCertain)
    let missed = never.filter { !gone.contains($0) }
    add(missed, by: .overlooked, Self.overlooked, isUpperBound: !isCertain)
    let doubtful = links.far.filter { far in
      !never.contains(far) && !followers.contains { $0.covers(far, of: links, surely: true) }
    }
    let partly = doubtful.filter { !isWhole($0) }
    let names = (partly.isEmpty ? links.near : partly).map(schema.entityName(ofNumber:))
    let reason = "not all objects of \(names.joined(separator: ", ")) are migrated"
    add(doubtful, by: .target, reason, isUpperBound: true)
    let others = links.far.filter { !never.contains($0) && !doubtful.contains($0) }
    if let some = links.leading(to: Set(others)), let except = displaced {
      result.append(
        Foreseen(
          links: some,
          cause: .narrowed,
          reason: Self.narrowed,
          isUpperBound: true,
          except: except
        )
      )
    }
    return result
  }

  /// The conditions of links that no other can displace; `nil` if none can be displaced, or if the choices of the work
  /// tell how many.
  private var displaced: [[ColumnExpression]]? {
    let isContested = followers.contains {
      mergesOwners($0) || doublesPartners($0) || sharesMembers($0) || !isComplete($0)
    }
    // Of two objects that claim the same one only one can have it.
    return isContested ? [] : links.partner.map { [[$0.condition]] }
  }

  static let notMigrated = "the object at the other end is not migrated"
  static let narrowed = "the first of several objects is kept"
  static let overlooked = "target object is not migrated"

  /// Whether nothing is lost of the rows that are kept.
  var areCarried: Bool {
    !isUnread
      && (areCarriedByHolders
        || links.far.allSatisfy { far in
          followers.contains { $0.covers(far, of: links, surely: true) && keepsAll($0) }
        })
  }

  /// Whether each mapping of the objects whose rows hold the links assigns them, to objects that are certainly made.
  private var areCarriedByHolders: Bool {
    guard links.holders != nil, near == .column("Z_PK") else { return false }
    let mappings = work.instances.creations.map(\.mapping)
      .filter { links.near.contains($0.sourceNumber) }
    return mappings.allSatisfy { mapping in
      !mapping.hasPolicy && !mapping.isListed
        && followers.contains {
          $0.isForward && $0.side.mapping.index == mapping.index && !mergesOwners($0)
            && !sharesMembers($0) && links.partner == nil
            && areLeft(by: $0.relationship, to: mappings)
        }
    }
  }

  /// Whether no assignment to a relationship takes away what the objects of some mappings, whose rows hold the links,
  /// lead to.
  private func areLeft(
    by relationship: LinkedRelationship,
    to mappings: [InstanceMapping]
  ) -> Bool {
    relationship.assignments.allSatisfy { side in
      guard let isForward = Self.directions(side, links).first else { return false }
      return isForward
        ? side.makesObjects(ofAll: links.far)
        : Set(side.makers.map(\.index)).isSuperset(of: mappings.map(\.index))
    }
  }

  /// Whether several objects become one, which keeps one of the objects to which they lead.
  private func mergesOwners(_ follower: Follower) -> Bool {
    let (form, side) = (follower.relationship.form, follower.side)
    return form.isToOne(side.end) && side.mapping.isMerging
      || form.isToOne(side.end.other) && side.makers.contains(where: \.isMerging)
  }

  /// Whether several objects that one became claim the same partner.
  private func doublesPartners(_ follower: Follower) -> Bool {
    guard case .oneToOne = follower.relationship.form else { return false }
    let mappings = followers.flatMap { [$0.side.mapping] + $0.side.makers }
    let indexes = Dictionary(grouping: mappings, by: \.sourceNumber)
    return indexes.values.contains { Set($0.map(\.index)).count > 1 }
  }

  /// Whether objects that several may have can belong to one only.
  private func sharesMembers(_ follower: Follower) -> Bool {
    if case .toOne = follower.relationship.form { return false }
    let far = follower.isForward ? follower.side.end.other : follower.side.end
    return follower.relationship.form.isToOne(far) && links.rows.farColumn != "Z_PK"
      && links.partner == nil
  }

  /// Whether no assignment to the same relationship can take an object away: to one it assigns nil where nothing was
  /// made for it.
  private func isComplete(_ follower: Follower) -> Bool {
    if case .manyToMany = follower.relationship.form { return true }
    return follower.relationship.assignments.allSatisfy { side in
      guard let isForward = Self.directions(side, links).first else { return false }
      return side.makesObjects(ofAll: isForward ? links.far : links.near)
    }
  }

  /// Whether a relationship of the destination keeps all objects that assignments along the links alone give it.
  private func keepsAll(_ follower: Follower) -> Bool {
    let form = follower.relationship.form
    let near = follower.isForward ? follower.side.end : follower.side.end.other
    return !mergesOwners(follower) && !sharesMembers(follower) && isComplete(follower)
      && links.partner == nil && (!form.isToOne(near) || links.rows.nearColumn == "Z_PK")
  }
}

extension LinkedRelationship.Assignment {
  fileprivate func makesObjects(ofAll numbers: [Int64]) -> Bool {
    Set(makers.filter(\.isSure).map(\.sourceNumber)).isSuperset(of: numbers)
  }
}

extension FollowedLinks.Follower {
  /// Whether objects of an entity at the far end may be carried, or certainly are.
  func covers(
    _ far: Int64,
    of links: SourceLinks,
    surely isSure: Bool = false
  ) -> Bool {
    let (own, others) = isForward ? (links.near, [far]) : ([far], links.near)
    func takes(_ mapping: InstanceMapping, _ numbers: [Int64]) -> Bool {
      numbers.contains(mapping.sourceNumber) && (!isSure || mapping.isSure)
    }
    return takes(side.mapping, own) && side.makers.contains { takes($0, others) }
  }
}

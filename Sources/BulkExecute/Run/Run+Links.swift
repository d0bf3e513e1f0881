internal import BulkPlan
internal import BulkModel
internal import BulkStore

extension Run {
  /// Sets a relationship that depends on all assignments to it and its inverse, unless an interrupted run has done so.
  ///
  /// The assignments of all entity mappings become links between objects: each is followed from the key of a
  /// source object to the objects made from it, by merging sorted links with association tables. Sorted again
  /// by the objects they connect, the links show which remain after the successive assignments. These are
  /// written in the order of the rows.
  func setLinks(of relationship: LinkedRelationship) throws {
    let transactions = session.transactions
    if linked < state.linked.count {
      transactions.replay(through: state.linked[linked])
    } else {
      try assign(relationship)
      state.linked.append(transactions.count)
    }
    linked += 1
  }

  private func assign(_ relationship: LinkedRelationship) throws {
    let scratch = associations.scratch()
    let resolution = LinkResolution(relationship, scratch)
    let output = LinkOutput(relationship: relationship, run: self)
    func links(_ order: LinkOrder) throws -> Links {
      reportingSeveral(try self.links(of: relationship, order, scratch), of: relationship)
    }
    switch relationship.form {
    case .toOne: try output.write(resolution.firstAssigned(links(.object(.first))), .first)
    case .oneToMany: try output.write(resolution.owners(links(.object(.second))), .second)
    case .oneToOne:
      let partners = try resolution.partners(links(.moment))
      for (links, end) in zip(partners, [RelationshipEnd.first, .second]) {
        try output.write(links, end)
      }
    case .manyToMany:
      try output.write(resolution.pairs(self.links(of: relationship, .pair, scratch)))
    }
  }

  /// The links of all assignments to a relationship and its inverse, in an order.
  ///
  /// A pair of a to-many relationship that is its own inverse always has the same object first, whichever
  /// of the two is assigned to.
  private func links(
    of relationship: LinkedRelationship,
    _ order: LinkOrder,
    _ scratch: SortScratch
  ) throws -> Links {
    var isPair = false
    if case .manyToMany = relationship.form { isPair = relationship.form.isSelfInverse }
    return try scratch.sorted(by: order) { add in
      for assignment in relationship.assignments {
        try LinkPipeline(assignment, to: relationship, in: self, scratch).each { link in
          try add(isPair && link.first.object > link.second.object ? link.inverted : link)
        }
      }
    }
  }

  /// Follows the links of all rows of a mapping before these are written, where the associations of the makers
  /// are too large to be held: the object of each source row, and the number of its entity.
  func linkTables(
    of assignment: LinkedRelationship.Assignment,
    _ relationship: LinkedRelationship
  ) throws -> (keys: AssociationTable, entityNumbers: AssociationTable) {
    let scratch = associations.scratch()
    let near = Link.End(assignment.end)
    let links = try scratch.sorted(by: .object(near)) { add in
      try LinkPipeline(assignment, to: relationship, in: self, scratch)
        .each(areNearMade: false, add)
    }
    let reported = reportingSeveral(links, of: relationship, where: isTaken(by: assignment.mapping))
    // A to-one relationship keeps the first of several objects.
    let rows = grouped(reported, by: { $0[near].source == $1[near].source }, Link?.none) {
      $0 = $0 ?? $1
    } end: {
      $0
    }
    var keys = try associations.passingWriter()
    var entityNumbers = try associations.passingWriter()
    while let link = try rows() {
      let (row, object) = (link[near].source, link[near.other])
      let number = mappings[object.maker]?.destinationNumber ?? 0
      try keys.append(AssociationRun(sourceKey: row, destinationKey: object.object))
      try entityNumbers.append(AssociationRun(sourceKey: row, destinationKey: number))
    }
    let finished = try keys.finish()
    do {
      return (finished, try entityNumbers.finish())
    } catch {
      finished.removeSegments()
      throw error
    }
  }

  /// Whether an object is made from a source object; the filter is prepared for the first that is asked for.
  private func isTaken(by mapping: InstanceMapping) -> (_ source: Int64) throws -> Bool {
    let creation = work.instances.creations.first { $0.mapping.index == mapping.index }
    var keys: ((ClosedRange<Int64>, (Int64) throws -> Void) throws -> Void)?
    return { [self] source in
      if keys == nil { keys = try creation.map(takenKeys) }
      var isTaken = false
      try keys?(source...source) { _ in isTaken = true }
      return isTaken
    }
  }

  /// The same links of a relationship, with the links of an assignment one after the other; source objects that give
  /// several objects to a to-one relationship are reported as they are read.
  ///
  /// This is an error in Core Data (formats/migration.md 8.11); here the object made from the source
  /// object violates a rule.
  private func reportingSeveral(
    _ links: @escaping Links,
    of relationship: LinkedRelationship,
    where isMade: @escaping (_ source: Int64) throws -> Bool = { _ in true }
  ) -> Links {
    var last: Link?
    var isReported = false
    return { [self] in
      guard let link = try links() else { return nil }
      if let former = last, link.takesOne, link.isAssigned(with: former) {
        let far = link.assignedEnd.other
        if !isReported, former[far].object != link[far].object {
          isReported = true
          if try isMade(link[link.assignedEnd].source) {
            try reportSeveral(former, link, relationship.form)
          }
        }
      } else {
        isReported = false
      }
      last = link
      return link
    }
  }

  /// Unless an interrupted run has done so.
  private func reportSeveral(_ one: Link, _ other: Link, _ form: RelationshipForm) throws {
    let near = one[one.assignedEnd]
    guard !session.transactions.isReplaying,
      let mapping = mappings[one.isUnited ? one.turn : near.maker]
    else { return }
    let objects = [one, other].map { link in
      let far = link[link.assignedEnd.other]
      return "\(mappings[far.maker]?.destination.name ?? "") \(far.object)"
    }
    try violations.add(
      Violation(
        entity: mapping.destination.name,
        key: near.object,
        origin: mapping.origin(of: near.source),
        property: (one.assignedEnd == .first ? form.first : form.second ?? form.first).property,
        rule: Violation.severalObjectsRule,
        value: objects.joined(separator: " and ")
      )
    )
  }
}

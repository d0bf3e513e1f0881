internal import BulkPlan
internal import BulkSupport
internal import BulkMapping
internal import BulkModel
internal import BulkStore

// The objects of the entity mappings that have policies.

extension Run {
  /// Throws ``MigrationError/policy(_:)`` if a policy's program is not that of the run before.
  func beginPolicies() throws {
    migration.policies.begin(work.mapping)
    guard isResumed else { return }
    try migration.policies.expect(state.programs ?? [:], of: work.mapping)
    for (name, archive) in state.userInfo {
      guard
        let expression = try? ValueExpression(archive: Array(archive)),
        case .constant(let value) = expression
      else { throw MigrationError.damagedState("the value \(name) of a checkpoint") }
      manager.userInfo[name] = value
    }
  }

  func archivedUserInfo() -> [String: Data] {
    manager.userInfo.mapValues { Data(ValueExpression.constant($0).archive()) }
  }

  /// Throws ``MigrationError/policy(_:)`` with the error of a hook.
  func createByPolicy(_ creation: InstanceCreation) throws {
    let mapping = creation.mapping
    let policy = try policy(of: mapping.mapping)
    manager.currentEntityMapping = mapping.mapping
    try session.transactions.batch {
      try called("begin", of: mapping.mapping) { try policy.begin(mapping.mapping, with: manager) }
    }
    let mapped = try rowReader(creation) { [manager] selector, arguments in
      try policy.value(ofFunction: selector, arguments: arguments, manager: manager)
    }
    let reader = reader(of: mapping)
    // An error would leave the current object behind, and its row leads back to the manager.
    defer { manager.current = nil }
    func make(_ row: consuming MappedRow) throws {
      let current = CurrentObject(row, mapping)
      manager.current = current
      let id = ObjectID(entityName: mapping.source.name, key: current.row.sourceKey)
      var rejected: RejectedObject?
      try called("createDestinationInstances", of: mapping.mapping, for: id) {
        do {
          try policy.createDestinationInstances(
            forSource: SourceInstance(id, reader),
            in: mapping.mapping,
            manager: manager
          )
          try manager.endCurrent()
        } catch let error as RejectedObject {
          rejected = error
        }
        if rejected != nil, current.outcome != .nothing {
          throw PolicyError("it rejects the object after it has inserted one")
        }
      }
      if let rejected { return try reject(id, rejected, mapping) }
      tallies.note { $0.count(madeOf: current) }
    }
    try eachRange(of: mapping.sourceTable) { range in
      try session.transactions.batch {
        defer { reader.end() }
        if let paged = policy as? ExternalPolicy {
          try pages(of: mapped, in: range) { rows in
            try prepare(
              paged,
              mapping,
              reading: reader,
              objects: rows.map { (source: $0.sourceKey, destination: nil) },
              pageBytes: objects.memory
            )
            for row in rows { try make(row) }
          }
        } else {
          try mapped.rows(in: range, make)
        }
      }
      try report()
    }
    manager.current = nil
    try session.transactions.batch {
      try called("endInstanceCreation", of: mapping.mapping) {
        try policy.endInstanceCreation(forMapping: mapping.mapping, manager: manager)
      }
    }
  }

  private func reader(of mapping: InstanceMapping) -> SourceReader {
    SourceReader(
      mapping.source,
      work,
      session,
      tallies: tallies,
      hasSmallRows: migration.plan.memory.largestRow == nil && session.streamed.isEmpty
    )
  }

  /// Reads the rows of a range in pages, which hold a share of the bytes of ``ObjectSource/memory``.
  private func pages(
    of mapped: MappedRowReader,
    in range: ClosedRange<Int64>,
    _ body: ([MappedRow]) throws -> Void
  ) throws {
    var page: [MappedRow] = []
    var bytes = 0
    func end() throws {
      if !page.isEmpty { try body(page) }
      page.removeAll(keepingCapacity: true)
      bytes = 0
    }
    try mapped.rows(in: range) { row in
      page.append(row)
      bytes += row.columns.contentBytes
      if page.count == PolicyPage.rows || bytes > objects.memory / 8 { try end() }
    }
    try end()
  }

  private func prepare(
    _ policy: ExternalPolicy,
    _ mapping: InstanceMapping,
    reading reader: SourceReader,
    objects: [(source: Int64, destination: ObjectID?)],
    pageBytes: Int64
  ) throws {
    let page = PolicyPage(
      entity: mapping.source.name,
      destinationEntity: mapping.destination.name,
      sources: objects.map(\.source),
      destinations: objects.compactMap(\.destination),
      byteLimit: Int(max(pageBytes / 8, 1 << 16)),
      value: reader.value
    )
    let hook = page.destinations.isEmpty ? "createDestinationInstances" : "createRelationships"
    try called(hook, of: mapping.mapping) {
      try policy.prepare(hook, for: page, in: mapping.mapping, manager: manager)
    }
  }

  private func reject(
    _ object: ObjectID,
    _ rejected: RejectedObject,
    _ mapping: InstanceMapping
  ) throws {
    tallies.note { $0.refused += 1 }
    let name = mapping.mapping.name
    try violations.add(
      Violation(
        entity: name,
        key: object.key,
        origin: ObjectOrigin(mapping: name, entity: object.entityName, key: object.key),
        property: "policy",
        rule: Violation.policyRule,
        value: rejected.reason
      )
    )
  }

  /// Reports an object that a policy associates with this source object although one before it has
  /// it, and whose relationships the mapping assigns (formats/migration.md 8.9).
  private func refuseSecondSource(
    _ source: ObjectID,
    of object: ObjectID,
    _ mapping: InstanceMapping
  ) throws {
    let assigned = mapping.mapping.relationshipMappings.filter {
      $0.valueExpression != nil && has($0.name, of: mapping, object)
    }
    guard !assigned.isEmpty else { return }
    let sources = try manager.rows.sources(of: object, by: mapping, associations)
      .map { ObjectID(entityName: source.entityName, key: $0) }
    guard sources.count > 1, sources[1] == source else { return }
    let names = assigned.map(\.name).joined(separator: ", ")
    let rule = Violation.severalSourcesRule
    try manager.refuse(object, names, rule, given: sources, from: sources[0])
  }

  /// Whether an object of a mapping, which may be of another entity, has a relationship of it.
  private func has(_ name: String, of mapping: InstanceMapping, _ object: ObjectID) -> Bool {
    let found = work.destination.model.relationship(named: name, of: mapping.destination)
    return manager.rows.isKind(object.entityName, of: found?.owner.name ?? "")
  }

  func relate(_ creation: InstanceCreation) throws {
    let mapping = creation.mapping
    // What the policy reads is used, too.
    tallies.begin(mapping.mapping.name)
    defer { tallies.end() }
    let policy = try policy(of: mapping.mapping)
    let paged = policy as? ExternalPolicy
    manager.currentEntityMapping = mapping.mapping
    let reader = reader(of: mapping)
    let batchPairs = 25_000
    var pairs: [(source: Int64, destination: ObjectID)] = []
    var highest: [String: Int64] = [:]
    func handle() throws {
      // A new object has a key above all before it, also above those of transactions that are not repeated.
      let areFound = pairs.map { pair in
        let (name, key) = (pair.destination.entityName, pair.destination.key)
        let last = highest[name] ?? .min
        highest[name] = max(last, key)
        return key <= last
      }
      try session.transactions.batch {
        defer { reader.end() }
        for (number, pair) in pairs.enumerated() {
          if let paged, number.isMultiple(of: PolicyPage.rows) {
            let page = pairs[number..<min(number + PolicyPage.rows, pairs.count)]
            try prepare(
              paged,
              mapping,
              reading: reader,
              objects: page.map { (source: $0.source, destination: $0.destination) },
              pageBytes: 0
            )
          }
          let id = pair.destination
          let source = ObjectID(entityName: mapping.source.name, key: pair.source)
          manager.related = (id, source)
          if areFound[number] { try refuseSecondSource(source, of: id, mapping) }
          for assignment in creation.answered {
            let name = assignment.key.property
            guard let function = assignment.function, has(name, of: mapping, id) else { continue }
            try called(function.selector, of: mapping.mapping, for: id) {
              let objects = try policy.destinationInstances(
                ofFunction: function.selector,
                arguments: function.arguments.map { try reader.value(of: $0, at: source.key) },
                forSource: source,
                manager: manager
              )
              let taken = assignment.takesFirst ? Array(objects.prefix(1)) : objects
              try manager.setObjects(taken, for: name, of: id)
            }
          }
          try called("createRelationships", of: mapping.mapping, for: id) {
            try policy.createRelationships(
              forDestination: id,
              in: mapping.mapping,
              manager: manager
            )
          }
        }
      }
      manager.related = nil
      pairs.removeAll(keepingCapacity: true)
      try report()
    }
    try associations.pairs(of: mapping) { source, key, entity in
      pairs.append(
        (source, ObjectID(entityName: work.destination.entityName(ofNumber: entity), key: key))
      )
      if pairs.count == batchPairs { try handle() }
    }
    try handle()
    try session.transactions.batch {
      try called("endRelationshipCreation", of: mapping.mapping) {
        try policy.endRelationshipCreation(forMapping: mapping.mapping, manager: manager)
      }
    }
  }

  /// Calls the hooks of the last stage, mapping by mapping; returns whether they changed objects.
  func callValidations() throws -> Bool {
    manager.isValidating = true
    let changes = manager.rows.changes
    for mapping in work.mapping.entityMappings
    where mapping.entityMigrationPolicyClassName != nil && mapping.kind != .remove {
      let policy = try policy(of: mapping)
      manager.currentEntityMapping = mapping
      try session.transactions.batch {
        try called("performCustomValidation", of: mapping) {
          try policy.performCustomValidation(forMapping: mapping, manager: manager)
        }
        try called("end", of: mapping) { try policy.end(mapping, manager: manager) }
      }
    }
    return manager.rows.changes > changes
  }

  /// Calls the hooks of the entity mappings that read nothing; their policies may make objects.
  func createWithoutSource() throws {
    for mapping in work.mapping.entityMappings
    where mapping.sourceEntityName == nil && mapping.entityMigrationPolicyClassName != nil {
      let policy = try policy(of: mapping)
      manager.currentEntityMapping = mapping
      try session.transactions.batch {
        try called("begin", of: mapping) { try policy.begin(mapping, with: manager) }
        try called("endInstanceCreation", of: mapping) {
          try policy.endInstanceCreation(forMapping: mapping, manager: manager)
        }
      }
      try report()
    }
  }

  private func policy(of mapping: EntityMapping) throws(MigrationError) -> any EntityMigrationPolicy
  {
    let name = mapping.entityMigrationPolicyClassName ?? ""
    let policies = migration.policies
    guard let policy = policies.policy(named: name) else {
      throw .policy(
        "there is no policy \(name), which entity mapping \(mapping.name) needs; "
          + (policies.names.isEmpty
            ? "this program has none, and --policy names none"
            : "known are \(policies.names.joined(separator: ", "))")
      )
    }
    return policy
  }

  private func called(
    _ hook: String,
    of mapping: EntityMapping,
    for object: ObjectID? = nil,
    _ body: () throws -> Void
  ) throws {
    do {
      try body()
    } catch {
      (try policy(of: mapping) as? ExternalPolicy)?.stop()
      if error is StoreError { throw error }
      let number = object.map { ", \($0.entityName) \($0.key)" } ?? ""
      throw MigrationError.policy(
        "entity mapping \(mapping.name), policy \(mapping.entityMigrationPolicyClassName ?? ""), "
          + "\(hook)\(number): \(error)"
      )
    }
  }
}

extension RowTally {
  fileprivate mutating func count(madeOf current: CurrentObject) {
    count(current.outcome)
    guard current.outcome != .nothing, !current.isAssociated else { return }
    unassociated = (unassociated ?? 0) + 1
  }
}

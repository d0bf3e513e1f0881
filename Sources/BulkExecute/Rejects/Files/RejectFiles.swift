internal import BulkSupport
internal import BulkPlan
internal import BulkMapping
internal import BulkModel
internal import BulkStore

/// Writes the objects that were left out: a file for each source entity, one JSON object a line for
/// each row under each entity mapping.
///
/// The files follow from the source and the report of violations, so an interrupted run makes them again.
struct RejectFiles {
  private let state: StateDirectory
  private let work: MigrationWork
  private let migration: Migration
  private let locations: ExpressionLocations

  init(_ state: StateDirectory, _ work: MigrationWork, _ migration: Migration) {
    (self.state, self.work, self.migration) = (state, work, migration)
    locations = ExpressionLocations(migration.plan)
  }

  func write(after finished: Checkpoint) throws -> String {
    // An interrupted run that had begun to tidy has removed the inputs of the files, which are
    // complete.
    if !DurableFiles.exists(state.violations),
      let made = try RejectFolder.complete(in: state, for: migration.plan)
    {
      return made.path
    }
    guard ViolationReport.isSound(state.violations, finished) else {
      throw MigrationError.damagedState("\(state.violations), the list of what was left out,")
    }
    do {
      return try written(finished)
    } catch let error as StoreError {
      throw MigrationError(error, source: work.store.path, scratch: state.path)
    }
  }

  private func written(_ finished: Checkpoint) throws -> String {
    let ledger = try RejectLedger()
    var reasons: [[String]: RejectSummary.Reason] = [:]
    try ViolationReport.each(in: state.violations, keeping: finished.violationBytes) { violation in
      let entity = violation.origin?.entity ?? sourceEntity(violation.entity)
      let key = violation.origin?.key ?? violation.key
      reasons[
        [entity, violation.property, violation.rule],
        default: RejectSummary.Reason(of: violation, in: entity, hasSource: !migration.isLaterLeg)
      ].add(key, violation.value)
      try ledger.add(
        reason(violation),
        entity: entity,
        key: key,
        mapping: violation.origin?.mapping ?? ""
      )
    }
    return try state.makeRejectFolder { folder in
      try write(ledger, RejectSummary.sum(Array(reasons.values)), after: finished, to: folder)
    }
  }

  private func write(
    _ ledger: RejectLedger,
    _ reasons: [RejectSummary.Reason],
    after finished: Checkpoint,
    to folder: DurableDirectory
  ) throws {
    let objects = SourceObjects(work.store, work.layout.schema)
    var file: (entity: String, lines: Data)?
    var counts: [String: Int64] = [:]
    var keys: [String: RejectDigest] = [:]
    var written: Set<String> = []
    func flush() throws {
      guard let open = file, !open.lines.isEmpty else { return }
      try folder.append(
        open.lines,
        to: "\(open.entity).jsonl",
        isNew: written.insert(open.entity).inserted
      )
      file?.lines.removeAll(keepingCapacity: true)
    }
    try ledger.each { object in
      if file?.entity != object.entity {
        try flush()
        file = (object.entity, Data())
      }
      counts[object.entity, default: 0] += 1
      let line = try line(object, objects)
      // The lines of a leg are not corrected before they are brought together.
      if migration.ofStep != nil {
        keys[object.entity, default: RejectDigest()].add(line)
      } else {
        keys[object.entity, default: RejectDigest()].add(object.key)
      }
      file?.lines += Data((line + "\n").utf8)
      if let count = file?.lines.count, count > Self.bufferSize { try flush() }
    }
    try flush()
    try folder.write(migration.plan.encoded(), to: RejectSummary.planName)
    let summary = try summary(finished, counts, reasons, keys: keys)
    try folder.write(summary.encoded(), to: RejectSummary.name)
  }

  private func summary(
    _ finished: Checkpoint,
    _ lines: [String: Int64],
    _ reasons: [RejectSummary.Reason],
    keys: [String: RejectDigest]
  ) throws -> RejectSummary {
    let path = migration.plan.destination.store
    return RejectSummary(
      plan: migration.plan.fingerprint,
      // A run that only had to be published was validated by the policy of an earlier one.
      policy: finished.limits?.rejects ?? migration.rejects,
      destination: path,
      destinationState: try PersistentStore(path: path).identification.run().text,
      count: finished.rejected?.count ?? 0,
      lines: lines,
      reasons: reasons,
      keys: keys.mapValues(\.text),
      rows: finished.rows,
      losses: finished.losses,
      tallies: finished.tallies.mapValues { tally in
        // A set has no order, and equal outcomes are equal files.
        var tally = tally
        tally.readAttributes = []
        return tally
      }
    )
  }

  /// The source entity of an object that keeps its row, by its entity; of any other the same.
  private func sourceEntity(_ entity: String) -> String {
    guard work.made == nil,
      let number = work.unmanagedTables.entityNumbers.first(where: {
        work.destination.entityName(ofNumber: $0.value) == entity
      })?
      .key
    else { return entity }
    return work.layout.schema.entityName(ofNumber: number)
  }

  private static var bufferSize: Int { 1 << 16 }

  private func reason(_ violation: Violation) -> String {
    let object = work.object(of: violation)
    var location: ExpressionLocation?
    if violation.rule == Violation.expressionRule, let mapping = violation.origin?.mapping {
      location = locations.location(of: violation.property, in: mapping)
    }
    let members: [(String, String?)] = [
      ("object", JSONText.quoted("\(object.entity) \(object.key)")),
      ("property", JSONText.quoted(violation.property)),
      ("rule", JSONText.quoted(violation.rule)),
      ("value", violation.value.map { JSONText.quoted($0) } ?? "null"),
      ("file", location.map { JSONText.quoted($0.path) }),
      ("line", location.map { "\($0.line)" }),
      ("column", location?.column.map { "\($0)" }),
    ]
    return JSONText.object(members, isSpaced: true)
  }

  private func line(_ object: RejectLedger.Object, _ objects: SourceObjects) throws -> String {
    let uuid = work.store.metadata.uuid
    let leg = migration.leg?.number ?? 1
    // The source of a later leg is a store between two versions, which is gone when the migration is done.
    let hasSource = leg == 1 && !(object.mapping.isEmpty && work.made != nil)
    let found = hasSource ? try objects.object(of: object.entity, object.key) : nil
    let uri = "x-coredata://\(uuid)/\(object.entity)/p\(object.key)"
    let values = found?.values.map { ($0.name, $0.value.json ?? "null") }
    let references = found?.references.map { ($0.name, "\($0.key)") } ?? []
    let omitted = found?.omitted.map { JSONText.quoted($0) } ?? []
    let members: [(String, String?)] = [
      ("entity", JSONText.quoted(object.entity)), ("key", "\(object.key)"),
      ("leg", leg > 1 ? "\(leg)" : nil), ("uri", hasSource ? JSONText.quoted(uri) : nil),
      ("mapping", object.mapping.isEmpty ? nil : JSONText.quoted(object.mapping)),
      ("reasons", "[\(object.reasons.joined(separator: ", "))]"),
      ("values", values.map { JSONText.object($0, isSpaced: true) }),
      ("relationships", references.isEmpty ? nil : JSONText.object(references, isSpaced: true)),
      ("omitted", omitted.isEmpty ? nil : "[\(omitted.joined(separator: ", "))]"),
    ]
    return JSONText.object(members, isSpaced: true)
  }
}

extension RejectSummary.Reason {
  fileprivate init(of violation: Violation, in entity: String, hasSource: Bool) {
    self.init(
      entity: entity,
      property: violation.property,
      rule: violation.rule,
      count: 0,
      first: hasSource ? [] : nil
    )
  }

  /// An object counts among the first if its key is small.
  fileprivate mutating func add(_ key: Int64, _ value: String?) {
    count += 1
    guard var objects = first else { return }
    if let last = objects.last, objects.count == Self.firstLimit, last.key <= key { return }
    objects.append(RejectSummary.Object(key: key, value: value))
    // Equal outcomes are equal files, whatever order violations were found in.
    objects.sort { $0.key < $1.key }
    first = Array(objects.prefix(Self.firstLimit))
  }
}

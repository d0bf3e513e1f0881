internal import BulkCoding
package import BulkMapping
package import BulkModel
internal import BulkPlatform
internal import Synchronization

/// A policy whose hooks another program answers, in lines of JSON (Plans/schemas/policy.schema.json).
///
/// The program is started at the first request and serves a whole run; it is asked a page at a time, and works on a page
/// while the objects of the one before are written. It keeps nothing between requests but what it puts into `userInfo`, so
/// a resumed run starts it again.
package final class ExternalPolicy: EntityMigrationPolicy {
  private static let hooks: Set<String> = [
    "begin", "createDestinationInstances", "endInstanceCreation", "createRelationships",
    "endRelationshipCreation", "performCustomValidation", "end",
  ]
  /// For an answer to a request without rows.
  private static let answerBytes = 1 << 20
  let name: String
  let program: PolicyProgram
  private let state = Mutex(State())

  /// The hooks, values and functions of a program in an entity mapping.
  private struct Contract {
    let hooks: Set<String>
    /// The key paths of the values that it is sent of each source object.
    let values: [String]
    let functions: Set<String>
  }

  private struct Pending {
    let id: Int64
    /// The most bytes of the answer.
    let limit: Int
    let place: String
    let objects: [ObjectID]
    let files: [UnnamedFile]
    /// Without the digest of the answers; `nil` where they do not fit into a checkpoint.
    var sample: PolicySample?
  }

  private struct State {
    var process: PolicyProcess?
    var requests: Int64 = 0
    var contracts: [String: Contract] = [:]
    /// The answers for objects whose hooks are still to be called, and the line that has them.
    var prepared: [ObjectID: JSONValue] = [:]
    var line = 0
    /// The request that the program works on; `nil` where no answer is expected.
    var pending: Pending?
    var sample: PolicySample?
    /// The last request before an interruption, until it is repeated.
    var expected: PolicySample?
  }

  package init(_ name: String, _ program: PolicyProgram) {
    (self.name, self.program) = (name, program)
  }

  var sample: PolicySample? { state.withLock(\.sample) }

  func expect(_ sample: PolicySample?) {
    state.withLock { ($0.sample, $0.expected) = (sample, sample) }
  }

  /// Begins a run; a program that still works on objects of another one is killed.
  func begin() {
    state.withLock { state in
      let process = state.pending == nil ? state.process : nil
      state = State(process: process, requests: state.requests)
    }
  }

  func stop() { state.withLock { ($0.process, $0.pending) = (nil, nil) } }

  /// Asks about objects before a hook is called for each of them, as many at a time as the limit of bytes allows.
  func prepare(
    _ hook: String,
    for page: PolicyPage,
    in mapping: EntityMapping,
    manager: MigrationManager
  ) throws {
    let contract = try contract(mapping, manager)
    guard contract.hooks.contains(hook) else { return }
    try askAgain(mapping)
    let objects =
      page.destinations.isEmpty
      ? page.sources.map { ObjectID(entityName: page.entity, key: $0) } : page.destinations
    var first = 0
    while first < objects.count {
      var request = try request(hook, mapping, manager)
      request.beginRows()
      var next = first
      var sample = (count: 0, bytes: 0)
      while next < objects.count, next == first || request.line.count < page.byteLimit {
        let source = page.sources[next]
        let values = try contract.values.map { try page.value($0, source) }
        try request.addRow(
          page.destinations.isEmpty ? ["\(source)"] : [page.json(objects[next]), "\(source)"],
          values
        )
        next += 1
        // Files are gone when the run is resumed.
        if next - first <= PolicySample.rows, request.files.isEmpty,
          request.line.count <= PolicySample.bytes
        {
          sample = (next - first, request.line.count)
        }
      }
      let pending = Pending(
        id: request.id,
        limit: max(4 * page.byteLimit, Self.answerBytes),
        place: "for " + page.place(first..<next),
        objects: Array(objects[first..<next]),
        files: request.files,
        sample: sample.count == 0
          ? nil
          : PolicySample(
            mapping: mapping.name,
            place: page.place(first..<first + sample.count),
            count: sample.count,
            request: Data(request.line.prefix(sample.bytes)),
            digest: ""
          )
      )
      try located(pending.place) {
        try state.withLock { state in
          try say(request.ended(hasRows: true), &state)
          state.pending = pending
        }
      }
      first = next
    }
  }

  /// Repeats the last request before an interruption; throws ``PolicyError`` if it answers otherwise.
  private func askAgain(_ mapping: EntityMapping) throws {
    guard let sample = state.withLock(\.expected), sample.mapping == mapping.name else { return }
    let request = PolicyRequest(nextID(), again: sample)
    let answers = try located("for \(sample.place)") {
      try send(request, hasRows: true) { try $0.objects(sample.count) }
    }
    guard PolicySample.digest(of: answers) == sample.digest else {
      throw PolicyError(
        "for \(sample.place): it answers otherwise than before the interruption; a program's answer may depend on an object "
          + "and on userInfo alone; make it so, and start over with run --restart"
      )
    }
    state.withLock { $0.expected = nil }
  }

  private func prepared(_ object: ObjectID, _ manager: MigrationManager) throws -> JSONValue? {
    if let answer = state.withLock({ $0.prepared.removeValue(forKey: object) }) { return answer }
    try settle(manager)
    return state.withLock { $0.prepared.removeValue(forKey: object) }
  }

  package func begin(_ mapping: EntityMapping, with manager: MigrationManager) throws {
    try call("begin", mapping, manager)
  }

  package func createDestinationInstances(
    forSource source: borrowing SourceInstance,
    in mapping: EntityMapping,
    manager: MigrationManager
  ) throws {
    let answer = try prepared(source.objectID, manager)
    try located(line: state.withLock(\.line)) {
      try ProgramAnswer(mapping: mapping, manager: manager).make(answer, forSource: source)
    }
  }

  package func endInstanceCreation(
    forMapping mapping: EntityMapping,
    manager: MigrationManager
  ) throws {
    try call("endInstanceCreation", mapping, manager)
  }

  package func createRelationships(
    forDestination destination: ObjectID,
    in mapping: EntityMapping,
    manager: MigrationManager
  ) throws {
    guard let answer = try prepared(destination, manager) else { return }
    try located(line: state.withLock(\.line)) {
      try ProgramAnswer(mapping: mapping, manager: manager).relate(answer, of: destination)
    }
  }

  package func endRelationshipCreation(
    forMapping mapping: EntityMapping,
    manager: MigrationManager
  ) throws {
    try call("endRelationshipCreation", mapping, manager)
  }

  package func performCustomValidation(
    forMapping mapping: EntityMapping,
    manager: MigrationManager
  ) throws {
    try call("performCustomValidation", mapping, manager)
  }

  package func end(_ mapping: EntityMapping, manager: MigrationManager) throws {
    try call("end", mapping, manager)
  }

  private func call(
    _ hook: String,
    _ mapping: EntityMapping,
    _ manager: MigrationManager
  ) throws {
    guard try contract(mapping, manager).hooks.contains(hook) else { return }
    let request = try request(hook, mapping, manager)
    try send(request) { reply in
      manager.userInfo = try reply.userInfo() ?? manager.userInfo
      if let objects = reply["objects"] {
        try ProgramAnswer(mapping: mapping, manager: manager).makeWithoutSource(objects)
      }
    }
  }

  package func value(
    ofFunction selector: String,
    arguments: [AttributeValue],
    manager: MigrationManager
  ) throws -> AttributeValue {
    try ask(selector, arguments, manager: manager) { answer, _ in
      try PolicyValue.taggedValue(answer)
    } ?? .null
  }

  package func destinationInstances(
    ofFunction selector: String,
    arguments: [AttributeValue],
    forSource source: ObjectID,
    manager: MigrationManager
  ) throws -> [ObjectID] {
    try ask(selector, arguments, forSource: source, manager: manager) { answer, mapping in
      try ProgramAnswer(mapping: mapping, manager: manager).objects(answer)
    } ?? []
  }

  /// `nil` outside an entity mapping.
  private func ask<Value>(
    _ selector: String,
    _ arguments: [AttributeValue],
    forSource source: ObjectID? = nil,
    manager: MigrationManager,
    _ body: (JSONValue, EntityMapping) throws -> Value
  ) throws -> Value? {
    guard let mapping = manager.currentEntityMapping else { return nil }
    guard try contract(mapping, manager).functions.contains(selector) else {
      throw PolicyError("the policy answers no function \(selector)")
    }
    var request = try request("function", mapping, manager)
    request.add("function", text: selector)
    request.add("arguments", tagged: arguments)
    if let source { request.add("source", tagged: [.integer(source.key)]) }
    return try send(request) { reply in
      guard let answer = reply["value"] else { throw PolicyError("it has no \"value\"") }
      return try body(answer, mapping)
    }
  }

  /// A run asks once for each entity mapping.
  private func contract(
    _ mapping: EntityMapping,
    _ manager: MigrationManager
  ) throws -> Contract {
    if let known = state.withLock({ $0.contracts[mapping.name] }) { return known }
    var request = try request("start", mapping, manager)
    request.add("bulkmigrate", text: "policy/1")
    request.add("policy", text: name)
    request.add("source", entity: manager.sourceEntity(for: mapping), in: manager.sourceModel)
    request.add(
      "destination",
      entity: manager.destinationEntity(for: mapping),
      in: manager.destinationModel
    )
    let contract = try send(request) { reply in
      guard reply["bulkmigrate"]?.string == "policy/1" else {
        throw PolicyError("it speaks no policy/1: \"bulkmigrate\" is missing or another version")
      }
      let contract = Contract(
        hooks: Set(try reply.texts("hooks")),
        values: try reply.texts("values"),
        functions: Set(try reply.texts("functions"))
      )
      if let unknown = contract.hooks.subtracting(Self.hooks).sorted().first {
        throw PolicyError("it names an unknown hook \"\(unknown)\"")
      }
      return contract
    }
    state.withLock { $0.contracts[mapping.name] = contract }
    return contract
  }

  private func request(
    _ hook: String,
    _ mapping: EntityMapping,
    _ manager: MigrationManager
  ) throws -> PolicyRequest {
    // The answer to the one before may change what is kept between requests.
    try settle(manager)
    var request = PolicyRequest(nextID(), hook, mapping.name)
    request.add(userInfo: manager.userInfo)
    return request
  }

  private func nextID() -> Int64 {
    state.withLock { state in
      state.requests += 1
      return state.requests
    }
  }

  /// Errors have the line of the program's output.
  private func send<Answer>(
    _ request: PolicyRequest,
    hasRows: Bool = false,
    _ body: (PolicyReply) throws -> Answer
  ) throws -> Answer {
    try state.withLock { try say(request.ended(hasRows: hasRows), &$0) }
    return try hear(request.id, limit: Self.answerBytes, body)
  }

  private func settle(_ manager: MigrationManager) throws {
    guard let pending = state.withLock({ $0.pending.take() }) else { return }
    try located(pending.place) {
      try hear(pending.id, limit: pending.limit) { reply in
        let objects = try reply.objects(pending.objects.count)
        var sample = pending.sample
        let count = sample?.count ?? 0
        sample?.digest = PolicySample.digest(of: objects.prefix(count))
        manager.userInfo = try reply.userInfo() ?? manager.userInfo
        state.withLock { [sample] state in
          state.line = state.process?.line ?? 0
          state.sample = sample
          for (object, answer) in zip(pending.objects, objects) { state.prepared[object] = answer }
        }
      }
    }
  }

  private func say(_ line: [UInt8], _ state: inout State) throws {
    let process = try state.process ?? PolicyProcess(program)
    state.process = process
    try process.send(line)
  }

  private func hear<Answer>(
    _ id: Int64,
    limit: Int,
    _ body: (PolicyReply) throws -> Answer
  ) throws -> Answer {
    let (line, number) = try state.withLock { state in
      let line = try state.process?.receive(limit: limit) ?? []
      return (line, state.process?.line ?? 0)
    }
    return try located(line: number) { try body(try PolicyReply(line, to: id)) }
  }

  private func located<Answer>(line: Int, _ body: () throws -> Answer) throws -> Answer {
    do {
      return try body()
    } catch let error as PolicyError where !error.hasLine {
      var located = PolicyError("line \(line) of its program's output: \(error)")
      located.hasLine = true
      throw located
    }
  }

  private func located<Answer>(_ place: String, _ body: () throws -> Answer) throws -> Answer {
    do {
      return try body()
    } catch let error as PolicyError {
      throw PolicyError("\(place): \(error)")
    }
  }
}

extension PolicyRequest {
  fileprivate mutating func add(
    _ member: String,
    entity: EntityDescription?,
    in model: ManagedObjectModel
  ) {
    guard let entity else { return }
    add(member + "Entity", text: entity.name)
    let attributes = model.attributes(of: entity).flatMap(\.leaves)
    add(member + "Attributes", texts: attributes.map { ($0.name, $0.attributeType.name) })
    add(
      member + "Relationships",
      texts: model.relationships(of: entity).map { ($0.name, $0.destinationEntityName) }
    )
  }
}

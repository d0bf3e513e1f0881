internal import BulkSupport
internal import BulkMapping
internal import BulkModel
internal import Synchronization

/// A policy whose hooks another program answers, in lines of JSON (Plans/schemas/policy.schema.json).
///
/// The program is started at the first request and serves a whole run; it is asked a page at a time. It keeps nothing
/// between requests but what it puts into `userInfo`, so a resumed run starts it again.
final class ExternalPolicy: EntityMigrationPolicy {
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

  private struct State {
    var process: PolicyProcess?
    /// Whether a request waits for its answer.
    var isAsked = false
    var requests: Int64 = 0
    var contracts: [String: Contract] = [:]
    /// The answers for objects whose hooks are still to be called, and the lines of the output that have them.
    ///
    /// In the order in which they are taken: an object that several source objects share has several.
    var prepared: [ObjectID: [(answer: JSONValue, line: Int)]] = [:]
  }

  package init(_ name: String, _ program: PolicyProgram) {
    (self.name, self.program) = (name, program)
  }

  /// Begins a run; a program that still works on objects of another one is killed.
  func begin() {
    state.withLock { state in
      let process = state.isAsked ? nil : state.process
      state = State(process: process, requests: state.requests)
    }
  }

  func stop() { state.withLock { ($0.process, $0.isAsked) = (nil, false) } }

  /// Asks about objects before a hook is called for each of them, as many at a time as the limit of bytes allows.
  func prepare(
    _ hook: String,
    for page: PolicyPage,
    in mapping: EntityMapping,
    manager: MigrationManager
  ) throws {
    let contract = try contract(mapping, manager)
    guard contract.hooks.contains(hook) else { return }
    let objects =
      page.destinations.isEmpty
      ? page.sources.map { ObjectID(entityName: page.entity, key: $0) } : page.destinations
    var first = 0
    while first < objects.count {
      var next = first
      let add = { (request: inout PolicyRequest) in
        try request.beginRows()
        while next < objects.count, next == first || request.bytes < page.byteLimit {
          let source = page.sources[next]
          try request.addRow(
            page.destinations.isEmpty ? ["\(source)"] : [page.json(objects[next]), "\(source)"],
            try contract.values.map { try page.value($0, source) }
          )
          next += 1
        }
        try request.endRows()
      }
      do {
        let limit = max(4 * page.byteLimit, Self.answerBytes)
        try send(hook, mapping, manager, limit: limit, add) { reply in
          let answers = try reply.objects(next - first)
          state.withLock { state in
            let line = state.process?.line ?? 0
            for (object, answer) in zip(objects[first..<next], answers) {
              state.prepared[object, default: []].append((answer, line))
            }
          }
        }
      } catch let error as PolicyError {
        throw PolicyError("for \(page.subject(first..<max(next, first + 1))): \(error)")
      }
      first = next
    }
  }

  private func prepared(_ object: ObjectID) -> (answer: JSONValue, line: Int)? {
    state.withLock { state in
      guard let first = state.prepared[object]?.removeFirst() else { return nil }
      if state.prepared[object]?.isEmpty == true { state.prepared[object] = nil }
      return first
    }
  }

  package func begin(_ mapping: EntityMapping, with manager: MigrationManager) throws {
    try call("begin", mapping, manager)
  }

  package func createDestinationInstances(
    forSource source: borrowing SourceInstance,
    in mapping: EntityMapping,
    manager: MigrationManager
  ) throws {
    let prepared = prepared(source.objectID)
    try located(line: prepared?.line ?? 0) {
      try ProgramAnswer(mapping: mapping, manager: manager).make(
        prepared?.answer,
        forSource: source
      )
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
    guard let prepared = prepared(destination) else { return }
    try located(line: prepared.line) {
      let answer = ProgramAnswer(mapping: mapping, manager: manager)
      try answer.relate(prepared.answer, of: destination)
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
    try send(hook, mapping, manager) { reply in
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
    return try send("function", mapping, manager) { request in
      try request.add("function", text: selector)
      try request.add("arguments", tagged: arguments)
      if let source { try request.add("source", tagged: [.integer(source.key)]) }
    } hearing: { reply in
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
    let contract = try send("start", mapping, manager) { request in
      try request.add("bulkmigrate", text: "policy/1")
      try request.add("policy", text: name)
      try request.add("source", entity: manager.sourceEntity(for: mapping), in: manager.sourceModel)
      try request.add(
        "destination",
        entity: manager.destinationEntity(for: mapping),
        in: manager.destinationModel
      )
    } hearing: { reply in
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

  /// Sends a request with what `add` adds to it, and reads its answer; errors have the line of the program's output.
  ///
  /// `limit` is the most bytes of the answer.
  private func send<Answer>(
    _ hook: String,
    _ mapping: EntityMapping,
    _ manager: MigrationManager,
    limit: Int = answerBytes,
    _ add: (inout PolicyRequest) throws -> Void = { _ in },
    hearing body: (PolicyReply) throws -> Answer
  ) throws -> Answer {
    let id = state.withLock { state in
      state.requests += 1
      state.isAsked = true
      return state.requests
    }
    var request = try PolicyRequest(id, hook, mapping.name) { try self.send($0, manager) }
    try request.add(userInfo: manager.userInfo)
    try add(&request)
    try request.end()
    let (line, number) = try receive(limit: limit, manager)
    return try located(line: number) {
      let reply = try PolicyReply(line, to: id)
      manager.userInfo = try reply.userInfo() ?? manager.userInfo
      return try body(reply)
    }
  }

  private func send(_ bytes: [UInt8], _ manager: MigrationManager) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      try manager.endIfStopped()
      rest = try state.withLock { [rest] state in
        let process = try state.process ?? PolicyProcess(program)
        state.process = process
        return try process.send(rest)
      }
    }
  }

  /// The answer to the last request, and the number of its line in the program's output.
  private func receive(limit: Int, _ manager: MigrationManager) throws -> ([UInt8], Int) {
    while true {
      try manager.endIfStopped()
      let answer = try state.withLock { state -> ([UInt8], Int)? in
        guard let process = state.process, let line = try process.receive(limit: limit) else {
          return nil
        }
        state.isAsked = false
        return (line, process.line)
      }
      if let answer { return answer }
    }
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
}

extension PolicyRequest {
  fileprivate mutating func add(
    _ member: String,
    entity: EntityDescription?,
    in model: ManagedObjectModel
  ) throws {
    guard let entity else { return }
    try add(member + "Entity", text: entity.name)
    let attributes = model.attributes(of: entity).flatMap(\.leaves)
    try add(member + "Attributes", texts: attributes.map { ($0.name, $0.attributeType.name) })
    try add(
      member + "Relationships",
      texts: model.relationships(of: entity).map { ($0.name, $0.destinationEntityName) }
    )
  }
}

internal import BulkExecute
internal import BulkMapping
internal import BulkModel
internal import BulkStore

/// Checks the expectations that mapping files have of a destination.
struct ExpectationCheck {
  let destination: ObjectCounter
  let source: ObjectCounter

  func result(of expectation: Expectation) throws -> ExpectationResult {
    let bounds = try bounds(of: expectation)
    var failing = FailingObjects()
    let found = try destination.count(
      expectation.entity,
      where: expectation.filter,
      key: expectation.key,
      holds: expectation.condition
    ) {
      failing.add($0, $1)
    }
    var reasons: [String] = []
    if !bounds.contains(found) { reasons.append(Self.text(of: bounds, found)) }
    if let text = failing.text { reasons.append(text) }
    return ExpectationResult(
      name: expectation.name,
      entity: expectation.entity,
      objects: found,
      isMet: reasons.isEmpty,
      reason: reasons.isEmpty ? nil : reasons.joined(separator: "; "),
      keys: failing.keys
    )
  }

  private func bounds(of expectation: Expectation) throws -> ClosedRange<Int64> {
    switch expectation.count {
    case .within(let bounds): return bounds
    case .objects(let entity, let filter):
      let count = try source.count(entity, where: filter, key: nil, holds: nil) { _, _ in }
      return count...count
    case nil: return (expectation.key == nil ? 0 : 1)...Int64.max
    }
  }

  private static func text(of bounds: ClosedRange<Int64>, _ found: Int64) -> String {
    let expected =
      switch (bounds.lowerBound, bounds.upperBound) {
      case (let least, .max): "at least \(least)"
      case (0, let most): most == 0 ? "none" : "at most \(most)"
      case (let least, let most): least == most ? "\(least)" : "\(least) to \(most)"
      }
    return "expected \(expected), found \(found)"
  }
}

struct FailingObjects {
  private var count: Int64 = 0
  private var fault: String?
  /// Of the first ones.
  private(set) var keys: [Int64] = []

  mutating func add(_ key: Int64, _ fault: String?) {
    count += 1
    self.fault = self.fault ?? fault.map { "object \(key): \($0)" }
    if keys.count < ExpectationResult.shownKeys { keys.append(key) }
  }

  /// `nil` without objects.
  var text: String? {
    guard count > 0 else { return nil }
    let shown = keys.map(String.init).joined(separator: ", ")
    let which = "\(count == 1 ? "key" : "keys") \(shown)\(count > Int64(keys.count) ? ", …" : "")"
    let number = "\(count) \(count == 1 ? "object does" : "objects do")"
    return "\(number) not hold: \(which)" + (fault.map { " (\($0))" } ?? "")
  }
}

struct ObjectCounter {
  var schema: StoreSchema { source.schema }
  private let source: ObjectSource
  private let stopIfRequested: () throws -> Void

  /// The memory is the bytes that the objects of a page may hold.
  init(
    _ store: PersistentStore,
    _ model: ManagedObjectModel,
    memory: Int64,
    constants: RunConstants,
    stopIfRequested: @escaping () throws -> Void
  ) throws {
    let schema = try store.layout(for: model).schema
    let session = try store.sessionInMemory()
    source = ObjectSource(schema, session, memory: memory, constants: constants)
    self.stopIfRequested = stopIfRequested
  }

  /// The entity may be one from which others inherit.
  ///
  /// A key is the only one that is looked at. The body gets every object for which the condition
  /// does not hold, or the reason why a predicate cannot be evaluated. Returns the number of
  /// objects that satisfy the filter.
  func count(
    _ entity: String,
    where filter: ValuePredicate?,
    key: Int64?,
    holds condition: ValuePredicate?,
    _ failing: (_ key: Int64, _ fault: String?) -> Void
  ) throws -> Int64 {
    guard let root = schema.model.entity(named: entity) else { return 0 }
    var count: Int64 = 0
    for entity in schema.model.hierarchy(from: root) where !entity.isAbstract {
      let test = try ObjectTest(
        [filter ?? .constant(true), condition ?? .constant(true)],
        of: entity,
        in: source
      )
      try test.read(key.map { $0...$0 } ?? Int64.min...Int64.max) { key, outcomes in
        try stopIfRequested()
        if case .holds(true) = outcomes[0] { count += 1 }
        switch (outcomes[0], outcomes[1]) {
        case (.holds(false), _), (.holds(true), .holds(true)): break
        case (.holds(true), .holds(false)): failing(key, nil)
        case (.fault(let reason), _), (.holds(true), .fault(let reason)): failing(key, reason)
        }
        return true
      }
    }
    return count
  }
}

/// The result of an expectation of a mapping file.
public struct ExpectationResult: Codable, Hashable, Sendable {
  /// The name of the expectation.
  public var name: String
  /// The destination entity whose objects are expected.
  public var entity: String
  /// The number of objects that were checked.
  public var objects: Int64
  /// Whether it is met.
  public var isMet: Bool
  /// Whether it was not checked, because another store of the configuration has the entity.
  public var isSkipped = false
  /// The finding, or the reason for skipping it; `nil` if it is met.
  public var reason: String?
  /// The keys of the first objects for which it is not met, in ascending order.
  public var keys: [Int64]
}

extension ExpectationResult {
  /// Another store has the entity.
  init(skipping expectation: Expectation) {
    name = expectation.name
    entity = expectation.entity
    (objects, isMet, isSkipped, keys) = (0, false, true, [])
    reason = "objects of \(expectation.entity) are in another store of the configuration"
  }

  /// The maximum number of keys listed.
  public static let shownKeys = 10
}

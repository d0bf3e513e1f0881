internal import BulkExecute
package import BulkMapping
package import BulkModel
internal import BulkSQLite
internal import BulkSupport
internal import BulkStore

/// How many objects are shown, and which.
package struct SampleChoice: Sendable {
  /// The seconds after which objects are no longer looked for that no predicate selects.
  package static let secondLimit = 10
  /// The usual limit of rows.
  package static let rowLimit: Int64 = 1_000_000

  /// Of each entity mapping, at least 1.
  package var count = 5
  /// `nil` for the first ones.
  package var predicate: ValuePredicate?
  /// The time for which objects are looked for that no predicate selects.
  package var time = Duration.seconds(secondLimit)
  /// The rows that are read at most for objects that a predicate selects.
  package var rows = rowLimit
  package var transformers = TransformerRegistry()

  package init() {}
}

/// Why no more objects are shown.
package enum SampleEnd: String, Encodable, Hashable, Sendable {
  /// As many as requested are shown.
  case count
  /// There are no others.
  case all
  /// Its share of ``SampleChoice/time`` is over.
  case time
  /// ``SampleChoice/rows`` are read.
  case rows
}

/// The way through the objects of an entity to those that are shown.
package struct SampleCourse: Hashable, Sendable, Encodable {
  /// The rows of the table that were looked at.
  package fileprivate(set) var rows: Int64 = 0
  /// The objects that the filter of the mapping left out, among those that the predicate selects.
  package fileprivate(set) var filtered: Int64 = 0
  /// The objects for which the predicate of the choice failed.
  package fileprivate(set) var failed: Int64 = 0
  package fileprivate(set) var failure: String?
  package internal(set) var end = SampleEnd.all
}

/// A store from which single objects are shown; it is only read.
struct SampledStore {
  /// The bytes that one object's row may hold in memory, and its related objects as many.
  private static let objectBytes: Int64 = 32 << 20

  let store: PersistentStore
  let source: ObjectSource
  let choice: SampleChoice
  private let deadline = Deadline()
  /// When all objects must be found.
  private let end: ContinuousClock.Instant

  /// When the objects of an entity must be found; `nil` where they may take any time.
  private final class Deadline {
    var end: ContinuousClock.Instant?

    var isPassed: Bool { end.map { SystemHost.current.instant() >= $0 } ?? false }
  }

  /// The time begins here.
  init(_ store: PersistentStore, _ model: ManagedObjectModel, _ choice: SampleChoice) throws {
    let schema = try store.layout(for: model).schema
    let session = try store.sessionInMemory()
    end = SystemHost.current.instant() + choice.time
    let constants = RunConstants(
      now: SystemHost.current.now().timeIntervalSinceReferenceDate,
      randomSeed: 1,
      storeUUID: store.metadata.uuid,
      transformers: choice.transformers
    )
    (self.store, self.choice) = (store, choice)
    source = ObjectSource(schema, session, memory: Self.objectBytes, constants: constants)
  }

  /// Divides the time that is left equally among the entities that are left, at least 1, and lets one have its share.
  func beginEntity(of count: Int) {
    guard choice.predicate == nil else { return }
    let now = SystemHost.current.instant()
    deadline.end = now + (end - now) / count
    // A watch that has stopped an evaluation stays stopped, so each entity has its own.
    source.session.watch { [deadline] in deadline.isPassed }
  }

  var isOutOfTime: Bool { deadline.isPassed }

  /// Passes on the objects of an entity that are to be shown, in the order of their keys.
  ///
  /// Objects of subentities are left out. The body gets each object, and why the filter failed for
  /// it, and returns whether it wants more. Throws ``TrialRefusal`` if the predicate of the choice
  /// cannot be evaluated.
  func objects(
    of entity: EntityDescription,
    where filter: ValuePredicate? = nil,
    _ body: (_ key: Int64, _ fault: String?) throws -> Bool
  ) throws -> SampleCourse {
    var course = SampleCourse()
    let isPlain = choice.predicate == nil && filter == nil
    do {
      let test = try ObjectTest(
        [choice.predicate ?? .constant(true), filter ?? .constant(true)],
        of: entity,
        in: source,
        countsOthers: true
      )
      // Where every object is shown, no more are read.
      let limit = isPlain ? Int64(choice.count) : 500
      try test.read(Int64.min...Int64.max, limit: limit) { key, outcomes in
        guard course.rows < choice.rows || choice.predicate == nil else {
          course.end = .rows
          return false
        }
        guard !isOutOfTime else {
          course.end = .time
          return false
        }
        course.rows += 1
        guard try course.takes(key, outcomes, { try body(key, $0) }) else { return true }
        course.end = .count
        return false
      }
    } catch let fault as ExpressionFault {
      let text = choice.predicate.map { "\($0)" } ?? ""
      throw TrialRefusal("--where: \(text) cannot be evaluated for \(entity.name): \(fault)")
    } catch let error as StoreError where isOutOfTime && error.cause == .interruption {
      course.end = .time
    }
    return course
  }
}

extension SampleCourse {
  /// Counts an object, and passes it on if it is to be shown.
  ///
  /// The outcomes are those of the choice's predicate and the mapping's filter; none for another
  /// entity. Returns whether the object was the last one.
  fileprivate mutating func takes(
    _ key: Int64,
    _ outcomes: [ObjectTest.Outcome],
    _ body: (String?) throws -> Bool
  ) rethrows -> Bool {
    guard outcomes.count == 2 else { return false }
    switch (outcomes[0], outcomes[1]) {
    case (.holds(false), _): break
    case (.fault(let reason), _):
      failed += 1
      failure = failure ?? "object \(key): \(reason)"
    case (.holds(true), .holds(true)): return try !body(nil)
    case (.holds(true), .fault(let reason)): return try !body(reason)
    case (.holds(true), .holds(false)): filtered += 1
    }
    return false
  }
}

/// Why expressions cannot be tried.
package struct TrialRefusal: Error, CustomStringConvertible {
  package let description: String
  /// Whether it is a name that the mapping file does not have.
  package let isOfName: Bool

  init(_ description: String, isOfName: Bool = false) {
    (self.description, self.isOfName) = (description, isOfName)
  }
}

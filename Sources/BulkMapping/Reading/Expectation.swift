internal import BulkSupport
package import BulkModel

/// An expectation of the objects that a migration has made.
package struct Expectation: Hashable, Sendable {
  package enum Count: Hashable, Sendable {
    case within(ClosedRange<Int64>)
    /// As many as the source has objects of an entity that satisfy a predicate, if there is one.
    case objects(of: String, where: ValuePredicate?)
  }

  /// Its name, which identifies it in results.
  package let name: String
  /// The destination entity; objects of its subentities count too.
  package let entity: String
  /// The key of the only object that is meant; `nil` for all objects.
  package let key: Int64?
  /// The condition that selects the objects; `nil` for all objects.
  package let filter: ValuePredicate?
  /// The condition that each of them must satisfy; `nil` for none.
  package let condition: ValuePredicate?
  /// How many there must be, if it is said.
  package let count: Count?
}

/// An expectation in a file, before it is compared with the models.
struct ExpectationDraft: Sendable {
  enum Count: Sendable {
    case within(ClosedRange<Int64>)
    case objects(of: LocatedName, where: Parsed<ValuePredicate>?)
  }

  let location: MappingLocation
  var name: String?
  var entity: LocatedName?
  var key: Int64?
  var filter: Parsed<ValuePredicate>?
  var condition: Parsed<ValuePredicate>?
  var count: Count?

  var subject: String { "expect \(effectiveName)" }

  /// The explicit name, or what it says in short.
  var effectiveName: String {
    if let name { return name }
    let object = (entity?.text ?? "") + (key.map { " \($0)" } ?? "")
    return [
      object, filter.map { "where \($0.text.text)" }, condition.map { "holds \($0.text.text)" },
    ].compactMap(\.self).joined(separator: " ")
  }
}

extension MappingJSONReader {
  static let expectation: [JSONField<ExpectationDraft>] = [
    JSONField("name", \.name) { $0.text($1, $2) },
    JSONField("entity", \.entity) { $0.name($1, $2) },
    JSONField("key", \.key) { $0.number($1, $2, from: 1) },
    JSONField("where", \.filter) { $0.predicate($1, $2) },
    JSONField("count", \.count) { $0.count($1, $2) },
    JSONField("holds", \.condition) { $0.predicate($1, $2) },
  ]

  func expectation(_ value: JSONValue) -> ExpectationDraft? {
    var draft = ExpectationDraft(location: location(value.offset))
    guard
      let entries = read(value, "expect", Self.expectation, into: &draft, { _ in "expect, " })
    else { return nil }
    if entries["entity"] == nil { error(value, "expect", "it names no entity") }
    if ["key", "count", "holds"].allSatisfy({ entries[$0] == nil }) {
      error(value, draft.subject, "it says nothing; add key, count or holds")
    }
    return draft
  }

  /// Bounds of a number of objects, or the objects of the source that are counted.
  struct Bounds {
    fileprivate var least: Int64?
    fileprivate var most: Int64?
    fileprivate var source: LocatedName?
    fileprivate var filter: Parsed<ValuePredicate>?
  }

  static let count: [JSONField<Bounds>] = [
    JSONField("least", \.least) { $0.number($1, $2, from: 0) },
    JSONField("most", \.most) { $0.number($1, $2, from: 0) },
    JSONField("source", \.source, excluding: ["least", "most"]) { $0.name($1, $2) },
    JSONField("where", \.filter, requiring: "source") { $0.predicate($1, $2) },
  ]

  private func count(_ value: JSONValue, _ subject: String) -> ExpectationDraft.Count? {
    guard case .object = value.content else {
      return number(value, subject, from: 0).map { .within($0...$0) }
    }
    var bounds = Bounds()
    let entries = read(value, subject, Self.count, into: &bounds) { _ in "\(subject), " }
    if let source = bounds.source { return .objects(of: source, where: bounds.filter) }
    let (least, most) = (bounds.least ?? 0, bounds.most ?? .max)
    guard entries?.isEmpty == false, least <= most else {
      error(value, subject, least <= most ? "it says nothing" : "least is more than most")
      return nil
    }
    return .within(least...most)
  }
}

extension MappingFile {
  /// The expectations of all files, in order.
  package func expectations(between models: ModelPair) throws(MappingError) -> [Expectation] {
    let report = report
    checkExpectations(models, report)
    try refuse(report)
    return parts.flatMap(\.expectations).compactMap { draft in
      guard let entity = draft.entity?.text else { return nil }
      return Expectation(
        name: draft.effectiveName,
        entity: entity,
        key: draft.key,
        filter: draft.filter?.value,
        condition: draft.condition?.value,
        count: draft.count.map { count in
          switch count {
          case .within(let bounds): .within(bounds)
          case .objects(let entity, let filter):
            .objects(of: entity.text, where: filter?.value)
          }
        }
      )
    }
  }

  func checkExpectations(_ models: ModelPair, _ report: MappingReport) {
    for draft in parts.flatMap(\.expectations) {
      func check(_ name: LocatedName?, _ side: Side, _ predicates: [Parsed<ValuePredicate>?]) {
        guard let name, let entity = models.entity(name, side, draft.subject, report) else {
          return
        }
        for placed in predicates.compactMap(\.self) {
          guard let predicate = placed.value else { continue }
          do throws(ExpressionFault) {
            _ = try PredicateProgram(predicate, of: entity, in: models[side])
          } catch {
            report.error(placed.text.location(of: error.word), draft.subject, error.description)
          }
        }
      }
      check(draft.entity, .destination, [draft.filter, draft.condition])
      if case .objects(let entity, let filter) = draft.count { check(entity, .source, [filter]) }
    }
  }
}

extension ModelPair {
  subscript(side: MappingFile.Side) -> ManagedObjectModel { side == .source ? source : destination }

  /// The entity with a name; without one it is an error.
  func entity(
    _ name: LocatedName,
    _ side: MappingFile.Side,
    _ subject: String,
    _ report: MappingReport
  ) -> EntityDescription? {
    if let entity = self[side].entity(named: name.text) { return entity }
    let hint = MappingResolver.hint(name.text, among: self[side].entities.map(\.name))
    let reason = "the \(side.rawValue) model has no entity \(name.text)\(hint)"
    report.error(name.location, subject, reason)
    return nil
  }
}

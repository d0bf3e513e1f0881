internal import BulkCoding
internal import BulkVersions

package struct PlanDifference: Codable, Hashable, Sendable {
  package enum Aspect: String, Codable, Hashable, Sendable {
    /// A store, a model or a mapping that the plans are made from.
    case input
    case outcome
    case rows
    case rowsLost
    case detail
    case filter
    case policy
    /// The collection whose elements become objects.
    case forEach
    /// The attributes in which source objects agree that become one.
    case unique
    /// The source object that is kept of these.
    case keep
    case pass
    /// The estimated size of the destination, in bytes.
    case bytes
    /// The memory that the work needs, in bytes.
    case memory
    case strategy
    /// How many values, links or objects are lost, for a reason.
    case loss
    case warning
  }

  /// Its subject: an entity, an entity mapping, an input, or the whole plan.
  package var subject: String
  package var aspect: Aspect
  /// The first plan's and the second plan's statement; absent if it makes none.
  package var before: String?
  package var after: String?
}

extension MigrationPlan {
  /// The differences to another plan: inputs, then entity by entity, then the whole.
  ///
  /// The paths of stores and the time of planning do not count; contents do.
  package func differences(to other: MigrationPlan) -> [PlanDifference] {
    var comparison = PlanComparison()
    comparison.compareInputs(self, other)
    comparison.compareEntities(PlannedEntity.all(of: self), PlannedEntity.all(of: other))
    comparison.compareTotals(self, other)
    return comparison.differences
  }
}

private struct PlannedEntity {
  let change: MigrationPlan.EntityChange
  /// The pass, or the step of a route.
  let unit: String

  /// The name under which both plans speak of it: the entity mapping's, else the entity's.
  var name: String {
    change.mapping ?? (change.change == .removed ? "\(change.entity) (source)" : change.entity)
  }

  /// All entities of a plan by their names; a name of a later step has that step before it.
  static func all(of plan: MigrationPlan) -> [(name: String, entity: PlannedEntity)] {
    let first = plan.passes.flatMap { pass in
      pass.entities.map { PlannedEntity(change: $0, unit: "pass \(pass.number)") }
    }
    let later = plan.steps.enumerated().flatMap { index, step in
      (step.entities ?? []).map { PlannedEntity(change: $0, unit: "step \(index + 1)") }
    }
    return first.map { ($0.name, $0) } + later.map { ("\($0.unit): \($0.name)", $0) }
  }
}

private struct PlanComparison {
  private(set) var differences: [PlanDifference] = []

  mutating func compareInputs(_ one: MigrationPlan, _ other: MigrationPlan) {
    if one.source.identity != other.source.identity {
      let states = [one, other].map { "state \($0.source.identity.prefix(12))" }
      add(.input, states[0], states[1], of: "source store")
    }
    compareModel("source model", one.source.model, other.source.model)
    compareModel("destination model", one.destination.model, other.destination.model)
    let versions = (Self.versions(between: one), Self.versions(between: other))
    compareSets(.input, versions.0, versions.1, of: "model on the route")
    let mappings = (Self.mappings(of: one), Self.mappings(of: other))
    compareSets(.input, mappings.0, mappings.1, of: "mapping")
  }

  private mutating func compareModel(
    _ subject: String,
    _ one: MigrationPlan.ModelInput,
    _ other: MigrationPlan.ModelInput
  ) {
    guard one.digest != other.digest else { return }
    add(.input, Self.text(of: one), Self.text(of: other), of: subject)
  }

  private static func text(of model: MigrationPlan.ModelInput) -> String {
    "\(model.path), digest \(model.digest.prefix(12))"
  }

  private static func versions(between plan: MigrationPlan) -> [String] {
    plan.steps.dropFirst().map { text(of: $0.source) }
  }

  /// The mappings of all steps; `inferred` where there is none.
  private static func mappings(of plan: MigrationPlan) -> [String] {
    plan.mappings.map { input in
      input.path.map { "\($0), digest \((input.digest ?? "none").prefix(12))" } ?? "inferred"
    }
  }

  mutating func compareEntities(
    _ ones: [(name: String, entity: PlannedEntity)],
    _ others: [(name: String, entity: PlannedEntity)]
  ) {
    let later = Dictionary(others.map { ($0.name, $0.entity) }, uniquingKeysWith: { $1 })
    let known = Set(ones.map(\.name))
    for (name, one) in ones {
      guard let other = later[name] else {
        add(.outcome, one.change.outcome, nil, of: name)
        continue
      }
      compare(name, one.change, other.change)
      if one.unit != other.unit { add(.pass, one.unit, other.unit, of: name) }
    }
    for (name, other) in others where !known.contains(name) {
      add(.outcome, nil, other.change.outcome, of: name)
    }
  }

  private mutating func compare(
    _ name: String,
    _ one: MigrationPlan.EntityChange,
    _ other: MigrationPlan.EntityChange
  ) {
    compare(.outcome, one.outcome, other.outcome, of: name)
    compare(.rows, String(one.rows), String(other.rows), of: name)
    compare(.rowsLost, String(one.rowsLost), String(other.rowsLost), of: name)
    compare(.filter, one.filter, other.filter, of: name)
    compare(.policy, one.policy, other.policy, of: name)
    compare(.forEach, one.forEach, other.forEach, of: name)
    let unique = [one, other].map { $0.unique?.joined(separator: ", ") }
    compare(.unique, unique[0], unique[1], of: name)
    compare(.keep, one.keep, other.keep, of: name)
    compareSets(.detail, one.details, other.details, of: name)
  }

  mutating func compareTotals(_ one: MigrationPlan, _ other: MigrationPlan) {
    let losses = (one.losses.map(\.sentence), other.losses.map(\.sentence))
    compareSets(.loss, losses.0, losses.1, of: "whole plan")
    let bytes = [one, other].map { String($0.sizeOfAllLegs.bytes) }
    compare(.bytes, bytes[0], bytes[1], of: "whole plan")
    let memory = [one, other].map { String($0.leastMemory.bytes) }
    compare(.memory, memory[0], memory[1], of: "whole plan")
    compare(.strategy, one.strategy?.kind.rawValue, other.strategy?.kind.rawValue, of: "whole plan")
    compareSets(.warning, one.warnings, other.warnings, of: "whole plan")
  }

  private mutating func compareSets(
    _ aspect: PlanDifference.Aspect,
    _ ones: [String],
    _ others: [String],
    of subject: String
  ) {
    for one in ones where !others.contains(one) { add(aspect, one, nil, of: subject) }
    for other in others where !ones.contains(other) { add(aspect, nil, other, of: subject) }
  }

  private mutating func compare(
    _ aspect: PlanDifference.Aspect,
    _ one: String?,
    _ other: String?,
    of subject: String
  ) {
    if one != other { add(aspect, one, other, of: subject) }
  }

  private mutating func add(
    _ aspect: PlanDifference.Aspect,
    _ before: String?,
    _ after: String?,
    of subject: String
  ) {
    differences.append(
      PlanDifference(subject: subject, aspect: aspect, before: before, after: after)
    )
  }
}

extension MigrationPlan.EntityChange {
  fileprivate var outcome: String {
    guard let from, from != entity else { return "\(change.rawValue)" }
    return "\(change.rawValue) from \(from)"
  }
}

extension MigrationPlan.Loss {
  fileprivate var sentence: String {
    "\(isUpperBound == true ? "at most " : "")\(count) \(subject): \(reason)"
  }
}

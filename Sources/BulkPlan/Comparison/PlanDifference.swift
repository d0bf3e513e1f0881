internal import BulkSupport

package struct PlanDifference: Codable, Hashable, Sendable {
  /// In the order in which differences of a subject are listed.
  package enum Aspect: String, Codable, Hashable, Sendable, CaseIterable {
    /// A store, a model or a mapping that the plans are made from.
    case input
    case outcome
    case rows
    case rowsLost
    case filter
    case policy
    /// The collection whose elements become objects.
    case forEach
    /// The attributes in which source objects agree that become one.
    case unique
    /// The source object that is kept of these.
    case keep
    case detail
    case pass
    /// How many values, links or objects are lost, for a reason.
    case loss
    /// The estimated size of the destination, in bytes.
    case bytes
    /// The memory that the work needs, in bytes.
    case memory
    case strategy
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
    PlanFact.differences(inputFacts, other.inputFacts)
      + PlanFact.differences(entityFacts, other.entityFacts)
      + PlanFact.differences(totalFacts, other.totalFacts)
  }

  private var inputFacts: [PlanFact] {
    func text(_ model: ModelInput) -> String { "\(model.path), digest \(model.digest.prefix(12))" }
    let state = source.identity
    return [PlanFact("source store", .input, "state \(state.prefix(12))", content: state)]
      + [("source model", source.model), ("destination model", destination.model)].map {
        PlanFact($0, .input, text($1), content: $1.digest)
      }
      + steps.dropFirst().map { PlanFact("model on the route", .input, text($0.source)) }
      + mappings.map { input in
        let digest = (input.digest ?? "none").prefix(12)
        let text = input.path.map { "\($0), digest \(digest)" }
        return PlanFact("mapping", .input, text ?? "inferred")
      }
  }

  /// What becomes of entities; the name of one in a later step has that step before it.
  private var entityFacts: [PlanFact] {
    let first = passes.flatMap { pass in
      pass.entities.flatMap { $0.facts($0.subject, in: "pass \(pass.number)") }
    }
    let later = zip(1..., steps).flatMap { number, step in
      (step.entities ?? []).flatMap {
        $0.facts("step \(number): \($0.subject)", in: "step \(number)")
      }
    }
    return first + later
  }

  private var totalFacts: [PlanFact] {
    let texts: [(PlanDifference.Aspect, String?)] =
      losses.map { loss in
        let bound = loss.isUpperBound == true ? "at most " : ""
        return (.loss, "\(bound)\(loss.count) \(loss.subject): \(loss.reason)")
      } + [
        (.bytes, "\(sizeOfAllLegs.bytes)"), (.memory, "\(leastMemory.bytes)"),
        (.strategy, strategy?.kind.rawValue),
      ] + warnings.map { (.warning, $0) }
    return PlanFact.all(of: "whole plan", texts)
  }
}

extension MigrationPlan.EntityChange {
  /// The name under which plans speak of it: the entity mapping's, else the entity's.
  fileprivate var subject: String {
    mapping ?? (change == .removed ? "\(entity) (source)" : entity)
  }

  fileprivate func facts(_ subject: String, in pass: String) -> [PlanFact] {
    let former = from.flatMap { $0 == entity ? nil : " from \($0)" } ?? ""
    let texts: [(PlanDifference.Aspect, String?)] = [
      (.outcome, change.rawValue + former), (.rows, "\(rows)"), (.rowsLost, "\(rowsLost)"),
      (.filter, filter), (.policy, policy), (.forEach, forEach),
      (.unique, unique?.joined(separator: ", ")), (.keep, keep), (.pass, pass),
    ]
    return PlanFact.all(of: subject, texts + details.map { (.detail, $0) })
  }
}

/// One thing that a plan states about a subject.
private struct PlanFact {
  let subject: String
  let aspect: PlanDifference.Aspect
  let text: String
  /// What is compared.
  let content: String

  init(
    _ subject: String,
    _ aspect: PlanDifference.Aspect,
    _ text: String,
    content: String? = nil
  ) {
    (self.subject, self.aspect, self.text) = (subject, aspect, text)
    self.content = content ?? text
  }

  static func all(
    of subject: String,
    _ texts: [(aspect: PlanDifference.Aspect, text: String?)]
  ) -> [PlanFact] {
    texts.compactMap { aspect, text in text.map { PlanFact(subject, aspect, $0) } }
  }

  static func differences(_ ones: [PlanFact], _ others: [PlanFact]) -> [PlanDifference] {
    var known: Set<String> = []
    let subjects = (ones + others).map(\.subject).filter { known.insert($0).inserted }
    let before = Dictionary(grouping: ones, by: \.subject)
    let after = Dictionary(grouping: others, by: \.subject)
    return subjects.flatMap { subject -> [PlanDifference] in
      let (ones, others) = (before[subject] ?? [], after[subject] ?? [])
      // An entity that one plan lacks is listed once.
      let isInBoth = !ones.isEmpty && !others.isEmpty
      return PlanDifference.Aspect.allCases.flatMap { aspect -> [PlanDifference] in
        guard isInBoth || [.input, .outcome].contains(aspect) else { return [] }
        return differences(subject, aspect, ones, others)
      }
    }
  }

  private static func differences(
    _ subject: String,
    _ aspect: PlanDifference.Aspect,
    _ ones: [PlanFact],
    _ others: [PlanFact]
  ) -> [PlanDifference] {
    func only(_ ones: [PlanFact], _ others: [PlanFact]) -> [String] {
      let contents = others.filter { $0.aspect == aspect }.map(\.content)
      return ones.filter { $0.aspect == aspect && !contents.contains($0.content) }.map(\.text)
    }
    func difference(_ before: String?, _ after: String?) -> PlanDifference {
      PlanDifference(subject: subject, aspect: aspect, before: before, after: after)
    }
    let (before, after) = (only(ones, others), only(others, ones))
    // Of these there may be many, each by itself.
    guard ![.detail, .loss, .warning].contains(aspect), before.count < 2, after.count < 2 else {
      return before.map { difference($0, nil) } + after.map { difference(nil, $0) }
    }
    return before.isEmpty && after.isEmpty ? [] : [difference(before.first, after.first)]
  }
}

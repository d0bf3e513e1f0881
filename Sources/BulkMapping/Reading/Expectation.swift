package import BulkModel

/// An expectation of the objects that a migration has made.
package struct Expectation: Hashable, Sendable {
  /// How many objects are expected.
  package enum Count: Hashable, Sendable {
    /// A number within bounds.
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
struct ExpectationDraft: Hashable, Sendable {
  /// The number of objects, as written.
  enum Count: Hashable, Sendable {
    case within(ClosedRange<Int64>)
    case objects(of: PlacedName, where: PlacedPredicate?)
  }

  let place: MappingPlace
  var name: String?
  var entity: PlacedName?
  var key: Int64?
  var filter: PlacedPredicate?
  var condition: PlacedPredicate?
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

/// A predicate in a mapping file.
struct PlacedPredicate: Hashable, Sendable {
  /// The predicate; `nil` where it is constantly true, or was reported as an error.
  let predicate: ValuePredicate?
  /// Its text and position, for errors in it.
  let text: PlacedName
}

extension MappingFile {
  /// The expectations of the file and its parts, in order.
  ///
  /// - Throws: ``MappingError/invalid(path:faults:)`` with everything in it that the models do not have.
  package func expectations(between models: ModelPair) throws(MappingError) -> [Expectation] {
    try refuse(expectationFaults(models))
    return members.flatMap(\.expectations).compactMap { draft in
      guard let entity = draft.entity?.text else { return nil }
      return Expectation(
        name: draft.effectiveName,
        entity: entity,
        key: draft.key,
        filter: draft.filter?.predicate,
        condition: draft.condition?.predicate,
        count: draft.count.map { count in
          switch count {
          case .within(let bounds): .within(bounds)
          case .objects(let entity, let filter):
            .objects(of: entity.text, where: filter?.predicate)
          }
        }
      )
    }
  }

  /// The names that the models do not have, by the index of the file among ``members``.
  func expectationFaults(_ models: ModelPair) -> [[DraftFault]] {
    members.map { member in
      member.expectations.flatMap { draft in
        var faults = Self.faults(
          draft.entity,
          [draft.filter, draft.condition],
          of: draft,
          in: models.destination,
          "destination"
        )
        if case .objects(let entity, let filter) = draft.count {
          faults += Self.faults(entity, [filter], of: draft, in: models.source, "source")
        }
        return faults
      }
    }
  }

  private static func faults(
    _ name: PlacedName?,
    _ predicates: [PlacedPredicate?],
    of draft: ExpectationDraft,
    in model: ManagedObjectModel,
    _ side: String
  ) -> [DraftFault] {
    guard let name else { return [] }
    guard let entity = model.entity(named: name.text) else {
      let hint = MappingResolver.hint(name.text, among: model.entities.map(\.name))
      let reason = "the \(side) model has no entity \(name.text)\(hint)"
      return [DraftFault(name.place, draft.subject, reason)]
    }
    return predicates.compactMap(\.self).compactMap { placed in
      guard let predicate = placed.predicate else { return nil }
      do throws(ExpressionFault) {
        _ = try PredicateProgram(predicate, of: entity, in: model)
        return nil
      } catch {
        return DraftFault(placed.text.place(of: error.word), draft.subject, error.description)
      }
    }
  }
}

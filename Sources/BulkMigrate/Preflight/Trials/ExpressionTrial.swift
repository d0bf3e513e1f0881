internal import BulkSupport
internal import BulkExecute
internal import BulkMapping
package import BulkModel
internal import BulkStore
internal import BulkPlan

/// Evaluates an expression for some objects of a store, and changes nothing.
package struct ExpressionTrial {
  package var store: String
  /// Objects of its subentities are left out.
  package var entity: String
  package var expression: ValueExpression
  /// `nil` for the one that the store keeps.
  package var model: String?
  package var choice = SampleChoice()

  package init(_ expression: ValueExpression, of entity: String, in store: String) {
    (self.expression, self.entity, self.store) = (expression, entity, store)
  }

  /// Throws ``TrialRefusal`` if the expression cannot be evaluated.
  package func run() throws -> ExpressionTrialReport {
    let opened = try PlanError.reading(store, try PersistentStore(path: store))
    let model = try ModelLocator.sourceModel(of: opened, named: model, or: nil).model
    let entity = try entity(in: model)
    let sampled = try SampledStore(opened, model, choice)
    sampled.beginEntity(of: 1)
    let evaluation = try evaluation(entity, sampled)
    var report = ExpressionTrialReport(
      store: store,
      entity: entity.name,
      expression: "\(expression)",
      type: "\(evaluation.type)"
    )
    report.course = try sampled.objects(of: entity) { key, _ in
      report.objects.append(try object(key, evaluation, sampled))
      return report.objects.count < choice.count
    }
    return report
  }

  private func entity(in model: ManagedObjectModel) throws(TrialRefusal) -> EntityDescription {
    guard let found = model.entity(named: entity) else {
      let nearest =
        NearestName.of(entity, among: model.entities.map(\.name))
        .map { "; did you mean \($0)?" } ?? ""
      throw TrialRefusal("the model of \(store) has no entity \(entity)\(nearest)")
    }
    guard found.isAbstract else { return found }
    let others = model.hierarchy(from: found).filter { !$0.isAbstract }.map(\.name)
      .joined(separator: ", ")
    throw TrialRefusal("entity \(entity) is abstract and has no objects; name one of \(others)")
  }

  private func evaluation(
    _ entity: EntityDescription,
    _ sampled: SampledStore
  ) throws -> ObjectEvaluation {
    do {
      return try ObjectEvaluation(expression, of: entity, in: sampled.source)
    } catch let fault as ExpressionFault {
      throw TrialRefusal(
        "the expression \(expression) cannot be evaluated for \(entity.name): \(fault)"
      )
    }
  }

  private func object(
    _ key: Int64,
    _ evaluation: ObjectEvaluation,
    _ sampled: SampledStore
  ) throws -> EvaluatedObject {
    var object = EvaluatedObject(key: key)
    switch try evaluation.result(of: key)?.outcome {
    case .value(let value): object.value = TrialValue(value, in: sampled.source.schema)
    // A run copies such a value as it is.
    case .unreadable(let reason) where evaluation.copiedAttribute != nil:
      object.value = .unread(reason)
    case .fault(let reason), .unreadable(let reason): object.error = reason
    case nil: object.error = "its row is gone"
    }
    object.type = object.value?.type
    return object
  }
}

/// The values of an expression for some objects.
package struct ExpressionTrialReport: Encodable, Sendable {
  /// As given.
  package let store: String
  package let entity: String
  /// As it was understood.
  package let expression: String
  /// As far as the model tells.
  package let type: String
  package internal(set) var objects: [EvaluatedObject] = []
  package internal(set) var course = SampleCourse()

  package var isSound: Bool { course.failed == 0 && objects.allSatisfy { $0.error == nil } }
}

package struct EvaluatedObject: Encodable, Sendable {
  package let key: Int64
  /// Absent after an error.
  package internal(set) var value: TrialValue?
  /// In a word; absent after an error.
  package internal(set) var type: String?
  package internal(set) var error: String?
}

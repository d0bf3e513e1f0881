package import BulkMapping
package import BulkModel
package import BulkStore

/// Why a plan cannot be made or read.
package enum PlanError: Error, Sendable {
  case badStore(path: String, reason: String, isMissing: Bool)
  case badModel(ModelError)
  case noFittingModel(store: String, searched: [String], nearest: [String])
  /// The named model fits the store only in part.
  case modelDoesNotFit(store: String, model: String, differences: [String])
  /// No source, destination or model was named.
  case missingInput(String)
  /// The mapping file cannot be read, or contradicts its format or the models.
  case mapping(MappingError)
  /// The mapping requests something impossible, a sentence each.
  case impossibleMapping([String])
  /// The program lacks policies that the mapping names, a sentence each.
  case missingPolicies([String])
  /// No route leads from the store's version to the requested one; what exists and what is missing, a line
  /// each.
  case noRoute([String])
  /// Mappings seem to be made for the route, but one of their models is unknown, a line each.
  case staleMappings([String])
  /// The request is ambiguous, and only the user can decide, a line each.
  case manyCandidates([String])
  /// Several models match; why, and which.
  case ambiguousModel(String, models: [String])
  /// Several versions of a model match; why, and which.
  case ambiguousVersion(String, versions: [String])
  case notInferable(InferenceError)
  /// Steps cannot be done as one leg, a sentence for each reason.
  case cannotFuse([String])
  /// The request needs an allowance, and why, as a sentence.
  case notAllowed(PlanAllowance, String)
  case cannotCopy(String)
  /// Rows would be lost or wrong, and only the user can decide what is right.
  case badRows([String])
  case missingPlan(String)
  /// Inputs of a step differ from those of the plan, a sentence each.
  case stale([String])
  case badPlan(String, reason: String)
}

extension PlanError: CustomStringConvertible {
  /// The fault in a sentence or a few lines, with the names of options.
  package var description: String { text(.options) }

  /// The fault in a sentence or a few lines, with the names of arguments for errors that do not hold those of their
  /// request.
  package func text(_ names: ArgumentNames) -> String {
    switch self {
    case .badStore(_, let reason, _): reason
    case .badModel(let error): error.description
    case .noFittingModel(let store, let searched, let nearest):
      (["no model was found that fits \(store); searched:"] + searched.map { "  " + $0 }
        + nearest.map { "  " + $0 } + ["pass \(names.sourceModel) or \(names.models)"]).joined(
          separator: "\n"
        )
    case .modelDoesNotFit(let store, let model, let differences):
      ([
        "\(store) was not written by the model \(model); from the store to this model:"
      ] + differences.map { "  " + $0 }).joined(separator: "\n")
    case .missingInput(let what): what
    case .mapping(let error): error.description
    case .notInferable(let error): error.description
    case .missingPolicies(let reasons):
      (reasons + [names.addingPolicies]).joined(separator: "\n")
    case .cannotFuse(let reasons):
      (["the steps cannot be done as one:"] + reasons.map { "  " + $0 }
        + ["migrate to the version between them first"]).joined(separator: "\n")
    case .notAllowed(let name, let reason):
      "\(reason); if this is intended, pass \(names.allowing(name))"
    case .cannotCopy(let reason):
      "the store cannot be changed as it is: \(reason); \(names.rebuilding)"
    case .badRows(let reasons), .impossibleMapping(let reasons), .stale(let reasons),
      .noRoute(let reasons), .staleMappings(let reasons), .manyCandidates(let reasons):
      reasons.joined(separator: "\n")
    case .ambiguousModel(let fact, let models):
      (["\(fact); name one of these with \(names.models), or a version with \(names.version):"]
        + models.map { "  " + $0 }).joined(separator: "\n")
    case .ambiguousVersion(let fact, let versions):
      (["\(fact); pass \(names.version) with one of its versions:"] + versions.map { "  " + $0 })
        .joined(separator: "\n")
    case .missingPlan(let path):
      path.isEmpty
        ? "an empty name is not a plan; \(names.makingPlan)"
        : "there is no plan \(path); \(names.makingPlan)"
    case .badPlan(let path, let reason): "\(path) is not a plan that can be run: \(reason)"
    }
  }

  /// The error with the model of the fewest differences.
  static func noFittingModel(
    _ store: PersistentStore,
    searched: [String],
    _ models: [(path: String, differences: [String])]
  ) -> PlanError {
    let nearest = models.min { $0.differences.count < $1.differences.count }
    return .noFittingModel(
      store: store.path,
      searched: searched,
      nearest: nearest.map { ["the nearest is \($0.path):"] + $0.differences.map { "  " + $0 } }
        ?? []
    )
  }

  package static func text(of error: any Error) -> String {
    guard let error = error as? DecodingError else { return "\(error)" }
    switch error {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .keyNotFound(_, let context), .dataCorrupted(let context):
      let location = context.codingPath.map(\.stringValue).joined(separator: ".")
      return location.isEmpty
        ? context.debugDescription : "\(location): \(context.debugDescription)"
    @unknown default: return "\(error)"
    }
  }

  /// Evaluates something that reads a store, whose errors become those of planning.
  package static func reading<Value>(
    _ path: String,
    _ value: @autoclosure () throws(StoreError) -> Value
  ) throws(PlanError) -> Value {
    do throws(StoreError) { return try value() } catch { throw .store(error, path: path) }
  }

  static func readingMapping<Value>(
    _ value: @autoclosure () throws(MappingError) -> Value
  ) throws(PlanError) -> Value {
    do throws(MappingError) { return try value() } catch { throw .mapping(error) }
  }

  static func readingModel<Value>(
    _ value: @autoclosure () throws(ModelError) -> Value
  ) throws(PlanError) -> Value {
    do throws(ModelError) { return try value() } catch { throw .badModel(error) }
  }

  package static func store(_ error: StoreError, path: String) -> PlanError {
    let damage = PersistentStore.damage(of: path, explaining: error)
    return .badStore(
      path: path,
      reason: damage.map { "\(path) is damaged: \($0)" } ?? "\(error)",
      isMissing: error.cause == .cannotOpen
    )
  }
}

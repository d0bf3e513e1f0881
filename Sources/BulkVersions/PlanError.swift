public import BulkMapping
public import BulkModel
package import BulkStore
internal import Foundation

/// What keeps a plan from being made or read.
public enum PlanError: Error, Sendable {
  /// A store cannot be read; the text says why.
  case badStore(path: String, reason: String, isMissing: Bool)
  /// A model cannot be read.
  case badModel(ModelError)
  /// The models that were looked at do not fit the store.
  case noFittingModel(store: String, searched: [String], nearest: [String])
  /// The store fits the model that was named only in part.
  case modelDoesNotFit(store: String, model: String, differences: [String])
  /// No source, destination or model was named.
  case missingInput(String)
  /// The mapping file cannot be read, or contradicts its format or the models.
  case mapping(MappingError)
  /// The mapping asks for what cannot be done, a sentence each.
  case impossibleMapping([String])
  /// Policies that the mapping names are not in the program, a sentence each.
  case missingPolicies([String])
  /// No way leads from the store's version to the one that is wanted; what is there and what is
  /// missing, a line each.
  case noRoute([String])
  /// Mappings seem to be meant for the way, but a model of theirs is not known, a line each.
  case staleMappings([String])
  /// Several things could be meant, and only the user can say which, a line each.
  case manyCandidates([String])
  /// Several models could be meant; why, and which.
  case openModel(String, models: [String])
  /// Several versions of a model could be meant; why, and which.
  case openVersion(String, versions: [String])
  /// No mapping can be inferred.
  case notInferable(InferenceError)
  /// Steps cannot be done as one, a sentence each.
  case cannotFuse([String])
  /// Rows would be lost or end up wrong, and only the user can say what is right.
  case badRows([String])
  /// There is no plan file.
  case missingPlan(String)
  /// What a step of a plan needs is not what was planned with, a sentence each.
  case stale([String])
  /// A plan file cannot be used.
  case badPlan(String, reason: String)
}

extension PlanError: CustomStringConvertible {
  /// The fault in a sentence or a few lines, with the names of options.
  public var description: String { text(.options) }

  /// The fault in a sentence or a few lines.
  ///
  /// - Parameter names: How what a user can give is called, as far as the error does not hold the names
  ///   of its request already.
  /// - Returns: The text.
  public func text(_ names: ArgumentNames) -> String {
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
        "\(store) was not written by the model \(model); these entities differ:"
      ] + differences.map { "  " + $0 }).joined(separator: "\n")
    case .missingInput(let what): what
    case .mapping(let error): error.description
    case .notInferable(let error): error.description
    case .missingPolicies(let reasons):
      (reasons + [names.addingPolicies]).joined(separator: "\n")
    case .cannotFuse(let reasons):
      (["the steps cannot be done as one:"] + reasons.map { "  " + $0 }
        + ["migrate to the version between them first"]).joined(separator: "\n")
    case .badRows(let reasons), .impossibleMapping(let reasons), .stale(let reasons),
      .noRoute(let reasons), .staleMappings(let reasons), .manyCandidates(let reasons):
      reasons.joined(separator: "\n")
    case .openModel(let fact, let models):
      (["\(fact); name one of these with \(names.models), or a version with \(names.version):"]
        + models.map { "  " + $0 }).joined(separator: "\n")
    case .openVersion(let fact, let versions):
      (["\(fact); pass \(names.version) with one of its versions:"] + versions.map { "  " + $0 })
        .joined(separator: "\n")
    case .missingPlan(let path):
      "there is no plan \(path); \(names.makingPlan)"
    case .badPlan(let path, let reason): "\(path) is no plan that can be run: \(reason)"
    }
  }

  /// What a decoding error says, with the place in the file.
  package static func text(of error: any Error) -> String {
    guard let error = error as? DecodingError else { return "\(error)" }
    switch error {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .keyNotFound(_, let context), .dataCorrupted(let context):
      let place = context.codingPath.map(\.stringValue).joined(separator: ".")
      return place.isEmpty ? context.debugDescription : "\(place): \(context.debugDescription)"
    @unknown default: return "\(error)"
    }
  }

  /// The error of a store that cannot be read.
  package static func store(_ error: StoreError, path: String) -> PlanError {
    .badStore(path: path, reason: error.description, isMissing: error.cause == .cannotOpen)
  }
}

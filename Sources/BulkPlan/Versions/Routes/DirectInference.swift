internal import BulkMapping

/// Core Data's result for several inferred steps, its lightweight stages: one inference from the
/// first version to the last one (formats/migration.md 9.2).
struct DirectInference {
  private let steps: [StepFiles]
  private let mappings: [MappingModel]

  package init(inPlaceOf steps: [StepFiles], by mappings: [MappingModel]) {
    (self.steps, self.mappings) = (steps, mappings)
  }

  /// A sentence about a different outcome; `nil` if it is the same, or if a mapping is among the
  /// steps.
  package var difference: String? {
    guard steps.count > 1, steps.allSatisfy(\.isInferred), let outcome else { return nil }
    let versions =
      "from \(steps[0].source.versionName) to \(steps[steps.count - 1].destination.versionName)"
    return
      "Core Data does lightweight stages at once, \(versions), \(outcome); bulkmigrate does them one by one, "
      + "and with --like-core-data as Core Data does"
  }

  private var outcome: String? {
    do throws(InferenceError) {
      let direct = try MappingModel.inferred(
        from: steps[0].source.model,
        to: steps[steps.count - 1].destination.model
      )
      return outcome(PropertyOrigins(direct))
    } catch {
      return "and refuses that: " + Self.listed(error.refusals.map(\.description))
    }
  }

  private func outcome(_ direct: PropertyOrigins) -> String? {
    let stepwise = mappings.dropFirst().reduce(PropertyOrigins(mappings[0])) {
      PropertyOrigins($1).after($0)
    }
    let others = stepwise.others(in: direct)
    guard !others.isEmpty else { return nil }
    return "so that "
      + Self.listed(
        others.map { property, origin in
          "\(property) \(origin.map { "has the values of \($0)" } ?? "is new")"
        }
      )
  }

  private static let shown = 3

  private static func listed(_ texts: [String]) -> String {
    let rest = texts.count - shown
    return (texts.prefix(shown) + (rest > 0 ? ["\(rest) more"] : [])).joined(separator: "; ")
  }
}

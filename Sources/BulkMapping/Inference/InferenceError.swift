/// Why no mapping model can be inferred, with all reasons.
public struct InferenceError: Error, Equatable, Sendable {
  /// A rule that a change violates.
  public struct Refusal: Hashable, Sendable {
    /// The destination entity.
    public let entity: String
    /// The destination property, if the rule concerns one.
    public let property: String?
    /// What is wrong, and a remedy.
    public let reason: String
  }

  /// The refusals, by entity and property.
  public let refusals: [Refusal]
}

extension InferenceError: CustomStringConvertible {
  /// The refusals, a line each.
  public var description: String {
    let lines = refusals.map { refusal in
      let place = [refusal.entity, refusal.property].compactMap(\.self).joined(separator: ".")
      return "  \(place): \(refusal.reason)"
    }
    let count = refusals.count == 1 ? "1 reason" : "\(refusals.count) reasons"
    return "no mapping can be inferred between the two models, for \(count):\n"
      + lines.joined(separator: "\n")
  }
}

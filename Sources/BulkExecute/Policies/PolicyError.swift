/// What a policy, or the manager on its behalf, finds wrong.
public struct PolicyError: Error, Hashable, CustomStringConvertible {
  /// The fault as a sentence.
  public let description: String

  /// A fault.
  public init(_ description: String) { self.description = description }
}

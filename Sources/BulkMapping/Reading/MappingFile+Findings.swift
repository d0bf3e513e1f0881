public import BulkModel

extension MappingFile {
  /// Everything that is wrong with the file, and everything about it that deserves a look.
  ///
  /// - Parameters:
  ///   - source: The model that objects come from.
  ///   - destination: The model that they go to.
  ///   - knowsPolicy: Whether there is a policy of a class name.
  /// - Returns: The errors by their places, then the warnings.
  /// - Throws: ``MappingError/unreadable(path:reason:)`` if something cannot be read.
  public func findings(
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel,
    knowsPolicy: (String) -> Bool = { _ in false }
  ) throws(MappingError) -> [MappingFinding] {
    do throws(MappingError) {
      let (model, warnings) = try mappingModel(from: source, to: destination)
      let faults = evaluationFaults(of: model, source, destination) + missingPolicies(knowsPolicy)
      let lint = MappingLint(model, from: source, to: destination).findings()
      let all =
        placed(faults).map { MappingFinding($0) }
        + warnings.map { MappingFinding(.warning, "", $0) } + lint
      return all.filter { $0.severity == .error } + all.filter { $0.severity == .warning }
    } catch {
      guard case .invalid(_, let faults) = error else { throw error }
      // A model that has changed may be the reason for all of them.
      return (faults + placed(missingPolicies(knowsPolicy))).map { MappingFinding($0) }
        + staleCopies(source, destination).map { MappingFinding(.warning, "", $0) }
    }
  }

  /// The policies that nobody has, without which no plan is made.
  private func missingPolicies(_ isKnown: (String) -> Bool) -> [DraftFault] {
    drafts.compactMap { draft in
      guard let policy = draft.policy, !isKnown(policy.text) else { return nil }
      let reason = "it needs the policy \(policy.text), which this program does not have"
      return DraftFault(policy.place, draft.subject, reason)
    }
  }
}

internal import BulkMapping

extension PolicyRegistry {
  /// The registry with programs that go before classes of the same names.
  package func adding(_ programs: [String: PolicyProgram]) -> PolicyRegistry {
    guard !programs.isEmpty else { return self }
    let external = programs.map { ($0, ExternalPolicy($0, $1) as any EntityMigrationPolicy) }
    return PolicyRegistry(
      byName.merging(external) { $1 },
      transformers: transformers.byName
    )
  }

  /// As checkpoints record them; `nil` if none is.
  func programs(of mapping: MappingModel) -> [String: RunState.UsedProgram]? {
    let used = external(of: mapping).mapValues {
      RunState.UsedProgram(digest: $0.program.digest, sample: $0.sample)
    }
    return used.isEmpty ? nil : used
  }

  /// Begins a run by a mapping: what its programs were asked for another store does not count.
  func begin(_ mapping: MappingModel) {
    for policy in external(of: mapping).values { policy.begin() }
  }

  /// Expects of programs what they did before an interruption.
  ///
  /// Throws ``MigrationError/policy(_:)`` if one of them is another than before.
  func expect(_ used: [String: RunState.UsedProgram], of mapping: MappingModel) throws {
    let known = external(of: mapping)
    for (name, former) in used {
      guard let policy = known[name], policy.program.digest == former.digest else {
        throw MigrationError.policy(
          "the program of policy \(name) is not that of the interrupted run: its command, or a file that it names, has "
            + "changed; name the same one with --policy, or start over with run --restart"
        )
      }
      policy.expect(former.sample)
    }
  }

  private func external(of mapping: MappingModel) -> [String: ExternalPolicy] {
    let names = Set(mapping.entityMappings.compactMap(\.entityMigrationPolicyClassName))
    return names.reduce(into: [:]) { $0[$1] = policy(named: $1) as? ExternalPolicy }
  }
}

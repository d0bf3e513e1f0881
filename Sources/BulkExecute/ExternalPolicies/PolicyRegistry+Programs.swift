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

  /// The digests of the programs in place of policies, as checkpoints record them; `nil` if there are none.
  func programs(of mapping: MappingModel) -> [String: String]? {
    let used = external(of: mapping).mapValues(\.program.digest)
    return used.isEmpty ? nil : used
  }

  /// Begins a run by a mapping: what its programs were asked for another store does not count.
  func begin(_ mapping: MappingModel) {
    for policy in external(of: mapping).values { policy.begin() }
  }

  /// Throws ``MigrationError/policy(_:)`` if one of the programs is another than before an interruption.
  func expect(_ used: [String: String], of mapping: MappingModel) throws(MigrationError) {
    let known = external(of: mapping)
    for (name, digest) in used {
      guard known[name]?.program.digest == digest else {
        throw .policy(
          "the program of policy \(name) is not that of the interrupted run: its command, or a file that it names, has "
            + "changed; name the same one with --policy, or start over with run --restart"
        )
      }
    }
  }

  private func external(of mapping: MappingModel) -> [String: ExternalPolicy] {
    let names = Set(mapping.entityMappings.compactMap(\.entityMigrationPolicyClassName))
    return names.reduce(into: [:]) { $0[$1] = policy(named: $1) as? ExternalPolicy }
  }
}

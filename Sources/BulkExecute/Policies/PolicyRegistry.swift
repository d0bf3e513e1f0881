/// The policies that a migration may use, by the names of their classes.
public struct PolicyRegistry: Sendable {
  private var policies: [String: any EntityMigrationPolicy]

  /// Registers policies by class name, with or without a module: `Notes.SplitName` or `SplitName`.
  public init(_ policies: [String: any EntityMigrationPolicy] = [:]) { self.policies = policies }

  /// The policy of a class, found by its full name first, then without the module.
  public func policy(named name: String) -> (any EntityMigrationPolicy)? {
    if let exact = policies[name] { return exact }
    let bare = Self.bareName(name)
    if let found = policies[bare] { return found }
    // A name without a module matches if only one module has a policy of that name.
    let candidates = policies.filter { Self.bareName($0.key) == bare }
    return candidates.count == 1 && bare == name ? candidates.first?.value : nil
  }

  /// The names, sorted.
  public var names: [String] { policies.keys.sorted() }

  private static func bareName(_ name: String) -> String {
    name.split(separator: ".").last.map(String.init) ?? name
  }
}

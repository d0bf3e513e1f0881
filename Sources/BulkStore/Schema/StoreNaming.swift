/// The names of an existing store that do not follow from the model.
package struct StoreNaming: Sendable {
  /// The join tables that are named or arranged otherwise than the model says, by their owners in the model.
  var joinTables: [PropertyKey: JoinTable] = [:]

  /// The relationships that name their join tables where the rules of an older framework decide.
  ///
  /// They are in the order in which they claim their column names: if two want one name, the first
  /// gets it unchanged, the other with a suffix. All others claim by ``PropertyOrder``.
  package var owners: [PropertyKey]

  /// The columns of attributes without the leading `Z`, by the attributes' names.
  package var attributes: [String: String]

  package init(owners: [PropertyKey] = [], attributes: [String: String] = [:]) {
    self.attributes = attributes
    self.owners = owners
  }

  /// Whether Core Data may look for join tables by the rules of an older framework (formats/store.md 6.6).
  ///
  /// The oldest version whose stores confirm today's rules is 752 (10.1).
  package static func followsOlderRules(_ frameworkVersion: Int64) -> Bool {
    frameworkVersion < 752
  }
}

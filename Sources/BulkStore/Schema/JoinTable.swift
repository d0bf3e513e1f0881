/// The table of a many-to-many relationship and its inverse.
package struct JoinTable: Hashable, Sendable {
  /// The relationship that names the table.
  package let owner: PropertyKey
  /// Its inverse; the same relationship where that is its own inverse.
  package let inverse: PropertyKey
  /// The table's name.
  package let name: String
  /// The column of the keys of the owning entity's objects.
  package let ownerColumn: String
  /// The column of the keys of the owner relationship's members.
  package let memberColumn: String
  /// The column of the members' places, where the owner relationship is ordered.
  package let memberOrderColumn: String?
  /// The column of the owners' places, where the inverse is ordered.
  package let ownerOrderColumn: String?

  /// The columns in the order of the table.
  package var columns: [String] {
    [ownerColumn, memberColumn] + [ownerOrderColumn, memberOrderColumn].compactMap(\.self)
  }

  /// The index that finds the pairs of a member.
  package var indexName: String { "\(name)_\(memberColumn)_INDEX" }
}

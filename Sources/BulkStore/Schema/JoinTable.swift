/// The table of a many-to-many relationship and its inverse.
package struct JoinTable: Hashable, Sendable {
  /// The relationship that names the table.
  package let owner: PropertyKey
  /// Its inverse; the same relationship if that is its own inverse.
  package let inverse: PropertyKey
  /// The table's name.
  package let name: String
  /// The column of the keys of the owning entity's objects.
  package let ownerColumn: String
  /// The column of the keys of the owner relationship's members.
  package let memberColumn: String
  /// The column of the members' places, if the owner relationship is ordered.
  package let memberOrderColumn: String?
  /// The column of the owners' places, if the inverse is ordered.
  package let ownerOrderColumn: String?

  /// Which of the two keys comes first.
  package let arrangement: Arrangement

  /// Which of a join table's two keys comes first; in tables that Core Data makes, it is the owner's.
  package struct Arrangement: Hashable, Sendable {
    /// Whether the members' keys are in the first column.
    package let beginsWithMember: Bool
    /// Whether the primary key begins with the members' keys.
    package let keyBeginsWithMember: Bool

    package init(beginsWithMember: Bool = false, keyBeginsWithMember: Bool = false) {
      self.beginsWithMember = beginsWithMember
      self.keyBeginsWithMember = keyBeginsWithMember
    }
  }

  /// The columns in the order of the table.
  package var columns: [String] {
    let keys = [ownerColumn, memberColumn]
    let places = [ownerOrderColumn, memberOrderColumn]
    return arrangement.beginsWithMember
      ? keys.reversed() + places.reversed().compactMap(\.self)
      : keys + places.compactMap(\.self)
  }

  /// The columns of the primary key, in its order.
  package var primaryKey: [String] {
    arrangement.keyBeginsWithMember
      ? [memberColumn, ownerColumn] : [ownerColumn, memberColumn]
  }

  /// The index that finds pairs by the second column of the primary key.
  package var indexName: String { "\(name)_\(primaryKey[1])_INDEX" }
}

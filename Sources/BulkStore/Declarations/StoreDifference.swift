package import BulkModel

/// A difference between a store and the expected one.
public struct StoreDifference: Codable, Hashable, Sendable {
  /// The kinds of differences.
  public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
    /// The value of an attribute.
    case value
    case missingRow
    case extraRow
    /// The entity of an object.
    case entity
    /// The object to which a relationship leads.
    case reference
    /// A pair of a many-to-many relationship is missing.
    case missingPair
    /// There is a pair that is not expected.
    case extraPair
    /// The place in an ordered relationship.
    case position
    /// How often an object was saved, `Z_OPT`.
    case version
    /// A file of external binary data.
    case file
    /// A row of `Z_PRIMARYKEY`.
    case primaryKey
    /// The metadata of the store.
    case metadata
    /// A table or a column.
    case table
    case index
    /// A trigger, a view or a virtual table.
    case object
    /// The file itself: an irregularity that SQLite reports.
    case structure
    /// A part of the source that nothing reads and no loss of the plan counts.
    case account
  }

  /// The kind of the difference.
  public var kind: Kind
  /// The entity, or the table where no model explains it.
  public var entity: String?
  /// The key of the object; of a pair, that of its owner.
  public var key: Int64?
  /// The attribute, the relationship, the column, or the name of something else.
  public var property: String?
  /// The expected value; absent if there is none.
  public var expected: String?
  /// The value found; absent if there is none.
  public var found: String?
  /// The object from which it was made, as `Note 5`; absent where it is not known.
  public var source: String?

  package init(
    _ kind: Kind,
    entity: String? = nil,
    key: Int64? = nil,
    property: String? = nil,
    expected: String? = nil,
    found: String? = nil,
    source: String? = nil
  ) {
    self.kind = kind
    self.entity = entity
    self.key = key
    self.property = property
    self.expected = expected
    self.found = found
    self.source = source
  }
}

extension StoreDifference {
  package static func metadata(
    _ property: String,
    _ expected: String?,
    _ found: String?
  ) -> StoreDifference {
    StoreDifference(
      .metadata,
      entity: "metadata",
      property: property,
      expected: expected,
      found: found
    )
  }

  /// The differences of the version hashes of entities, by name in code-unit order.
  package static func hashes(
    _ expected: [String: VersionHash],
    _ found: [String: VersionHash]
  ) -> [StoreDifference] {
    Set(expected.keys).union(found.keys).sortedByCodeUnit()
      .filter { expected[$0] != found[$0] }
      .map {
        .metadata("version hash of \($0)", expected[$0]?.description, found[$0]?.description)
      }
  }
}

extension StoreDifference: CustomStringConvertible {
  /// The difference in a sentence.
  public var description: String {
    let object = [entity, key.map(String.init)].compactMap(\.self).joined(separator: " ")
    guard kind != .account else { return statement }
    let subject = [object, property ?? ""].filter { !$0.isEmpty }.joined(separator: ", ")
    return "\(subject): \(statement)" + (source.map { " (made from \($0))" } ?? "")
  }

  private var statement: String {
    switch (kind, expected, found) {
    case (.account, _, let part): part ?? kind.rawValue
    case (.missingRow, _, _): "the object is missing"
    case (.extraRow, _, _): "the object is not expected"
    case (.missingPair, let member, _): "\(member ?? "a member") is missing"
    case (.extraPair, _, let member): "\(member ?? "a member") is not expected"
    case (_, let expected?, let found?): "expected \(expected), found \(found)"
    case (_, let expected?, nil): "expected \(expected), found nothing"
    case (_, nil, let found?): "found \(found), expected nothing"
    case (_, nil, nil): kind.rawValue
    }
  }
}

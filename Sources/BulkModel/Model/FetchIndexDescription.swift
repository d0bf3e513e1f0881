/// An index of an entity (`NSFetchIndexDescription`).
public struct FetchIndexDescription: Hashable, Sendable {
  /// How an element is indexed, with Core Data's numbers.
  public enum Kind: Int64, Hashable, Sendable {
    /// In a b-tree.
    case binary = 0
    /// In an R-tree.
    case rTree = 1
  }

  /// The subject of an index element.
  public enum Subject: Hashable, Sendable {
    /// A property, by name.
    case property(String)
    /// An expression: `self` or the key path `entity`.
    case expression(ValueExpression)
  }

  /// One element of an index (`NSFetchIndexElementDescription`).
  public struct Element: Hashable, Sendable {
    /// What is indexed.
    public var subject: Subject
    /// The kind of index.
    public var kind: Kind
    /// Whether values are in ascending order.
    public var isAscending: Bool

    /// An element of an index.
    public init(_ subject: Subject, kind: Kind = .binary, isAscending: Bool = true) {
      self.subject = subject
      self.kind = kind
      self.isAscending = isAscending
    }
  }

  /// The index's name, unique in its entity.
  public var name: String
  /// The elements, most significant first.
  public var elements: [Element]
  /// The predicate of a partial index.
  public var partialIndexPredicate: ValuePredicate?

  /// An index over some elements.
  public init(_ name: String, elements: [Element], partialIndexPredicate: ValuePredicate? = nil) {
    self.name = name
    self.elements = elements
    self.partialIndexPredicate = partialIndexPredicate
  }
}

package import BulkModel

/// What an expression gives for one row.
package indirect enum EvaluatedValue: Hashable, Sendable {
  /// A value that an attribute can hold, nil among them.
  case attribute(AttributeValue)
  /// An object of the source.
  case object(ObjectValue)
  /// Several values.
  case collection(ValueCollection)

  /// Nil.
  package static let null = EvaluatedValue.attribute(.null)

  /// Whether it is nil.
  package var isNull: Bool {
    guard case .attribute(.null) = self else { return false }
    return true
  }
}

/// Which object of the source it is.
package struct ObjectIdentity: Hashable, Sendable {
  /// The number of its entity.
  package let entityNumber: Int64
  /// Its key, `Z_PK`.
  package let key: Int64

  package init(entityNumber: Int64, key: Int64) {
    self.entityNumber = entityNumber
    self.key = key
  }
}

/// An object of the source with as much of it as an expression asks for.
package struct ObjectValue: Hashable, Sendable {
  /// Which object it is.
  package let identity: ObjectIdentity
  /// The values of the members of the ``SourceInput`` that gave it, in their order.
  package let values: [EvaluatedValue]

  package init(_ identity: ObjectIdentity, values: [EvaluatedValue] = []) {
    self.identity = identity
    self.values = values
  }
}

/// Several values, with Core Data's three ways of keeping them.
package struct ValueCollection: Hashable, Sendable {
  /// How the values are kept.
  package enum Kind: Hashable, Sendable {
    /// In order, any value more than once, nil too.
    case array
    /// Each once and without nil; the order means nothing, but is always the same.
    case set
    /// In order, each once and without nil.
    case orderedSet
  }

  /// How the values are kept.
  package let kind: Kind
  /// The values; none where they are streamed.
  package let elements: [EvaluatedValue]
  /// Where the objects are read, if they are too many to be held.
  package let streamed: StreamedObjects?

  /// A collection of different objects that are too many to be held.
  package init(_ kind: Kind, streaming objects: StreamedObjects) {
    self.kind = kind
    elements = []
    streamed = objects
  }

  /// A collection of values, of which sets keep the first of several equal ones.
  package init(_ kind: Kind, _ elements: [EvaluatedValue]) {
    self.kind = kind
    streamed = nil
    guard kind != .array else {
      self.elements = elements
      return
    }
    var seen: Set<ValueIdentity> = []
    self.elements = elements.filter { !$0.isNull && seen.insert(ValueIdentity($0)).inserted }
  }

  /// A collection of different objects, which need not be compared.
  package init(_ kind: Kind, ofDifferent objects: [ObjectValue]) {
    self.kind = kind
    streamed = nil
    elements = objects.map { .object($0) }
  }
}

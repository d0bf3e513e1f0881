package import BulkModel

/// The value of an expression for one row.
///
/// Only objects and collections are in a box of their own: attributes are by far the most values.
package enum EvaluatedValue: Hashable, Sendable {
  case attribute(AttributeValue)
  indirect case object(ObjectValue)
  indirect case collection(ValueCollection)

  package static let null = EvaluatedValue.attribute(.null)

  package var isNull: Bool {
    if case .attribute(.null) = self { true } else { false }
  }

  static func text(_ text: String) -> EvaluatedValue { .attribute(.string(text)) }
  static func integer(_ number: Int64) -> EvaluatedValue { .attribute(.integer(number)) }
  static func boolean(_ flag: Bool) -> EvaluatedValue { .attribute(.boolean(flag)) }
  /// A number; a NaN becomes nil, because no store can hold it.
  static func double(_ number: Double) -> EvaluatedValue { .attribute(Number.double(number).value) }

  var number: Number? { if case .attribute(let value) = self { Number(value) } else { nil } }
  var string: String? { if case .attribute(.string(let text)) = self { text } else { nil } }
  /// The seconds since 2001 that a date is; `nil` for other values.
  var date: Double? { if case .attribute(.date(let seconds)) = self { seconds } else { nil } }
  var collection: ValueCollection? { if case .collection(let found) = self { found } else { nil } }

  /// Whether `isEqual:` holds: numbers by value, texts by code unit, objects by identity.
  func isEqual(to other: EvaluatedValue) -> Bool {
    guard !isNull, !other.isNull else { return false }
    return ValueComparison(TextComparing()).isEqual(self, other)
  }
}

package struct ObjectIdentity: Hashable, Sendable {
  package let entityNumber: Int64
  package let key: Int64

  package init(entityNumber: Int64, key: Int64) {
    self.entityNumber = entityNumber
    self.key = key
  }
}

package struct ObjectValue: Hashable, Sendable {
  package let identity: ObjectIdentity
  /// The values of the members of its ``SourceInput``, in order.
  package let values: [EvaluatedValue]

  package init(_ identity: ObjectIdentity, values: [EvaluatedValue] = []) {
    self.identity = identity
    self.values = values
  }
}

/// Several values, in one of Core Data's three kinds of collection.
package struct ValueCollection: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// Ordered, with duplicates and nil.
    case array
    /// Without duplicates and nil; the order has no meaning, but is deterministic.
    case set
    /// Ordered, without duplicates and nil.
    case orderedSet
  }

  package let kind: Kind
  /// The values; empty if they are streamed.
  package let elements: [EvaluatedValue]
  /// Where the objects are read if there are too many to hold in memory.
  package let streamed: StreamedObjects?

  package init(_ kind: Kind, streaming objects: StreamedObjects) {
    self.kind = kind
    elements = []
    streamed = objects
  }

  /// A collection of values; sets keep the first of several equal ones.
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

  /// A collection of distinct objects, which need not be compared.
  package init(_ kind: Kind, ofDifferent objects: [ObjectValue]) {
    self.kind = kind
    streamed = nil
    elements = objects.map { .object($0) }
  }
}

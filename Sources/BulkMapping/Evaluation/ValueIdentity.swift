internal import BulkModel

/// The identity of values in an expression: numbers by value regardless of kind, text by code unit,
/// objects by identity, collections element by element.
struct ValueIdentity: Hashable {
  private enum Form: Hashable {
    case null
    case integer(Int64)
    case double(Double)
    case date(Double)
    case text([UInt8])
    case uri([UInt8])
    case bytes([UInt8])
    case other(AttributeValue)
    case object(ObjectIdentity)
    case array([ValueIdentity])
    case set(Set<ValueIdentity>)
  }

  private let form: Form

  init(_ value: EvaluatedValue) {
    switch value {
    case .attribute(let value): form = Self.form(of: value)
    case .object(let object): form = .object(object.identity)
    case .collection(let collection):
      let elements = collection.elements.map { ValueIdentity($0) }
      form = collection.kind == .set ? .set(Set(elements)) : .array(elements)
    }
  }

  private static func form(of value: AttributeValue) -> Form {
    switch value {
    case .null: .null
    case .string(let text): .text(Array(text.utf8))
    case .uri(let text): .uri(Array(text.utf8))
    case .date(let seconds): .date(seconds)
    case .binary(let bytes): .bytes(bytes)
    case .uuid: .other(value)
    case .boolean, .integer, .double, .decimal: form(of: Number(value))
    }
  }

  private static func form(of number: Number?) -> Form {
    switch number {
    case .integer(let whole)?: .integer(whole)
    // A double and a decimal number are equal if their doubles are, see ``Number/compare(_:)``.
    case .double(let value)?: whole(value)
    case .decimal(let value)?:
      Number.whole(value).map { .integer($0) } ?? whole(Number.double(nearestTo: value))
    case nil: .null
    }
  }

  private static func whole(_ value: Double) -> Form {
    Int64(exactly: value).map { .integer($0) } ?? .double(value)
  }
}

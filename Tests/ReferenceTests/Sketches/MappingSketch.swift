/// An entity mapping in few words.
struct MappingSketch: Hashable, Sendable {
  var name: String
  var source: String
  var destination: String
  var filter: FilterSketch?
  /// How objects are shared or divided; `nil` if each source object becomes one of its own.
  var sharing: SharingSketch?
  /// The relationship mappings, in their order.
  var assignments: [AssignmentSketch]

  /// A mapping that is named after its entities.
  static func map(
    _ source: String,
    _ destination: String,
    where filter: FilterSketch? = nil,
    _ assignments: AssignmentSketch...
  ) -> MappingSketch {
    MappingSketch(
      name: "\(source)To\(destination)",
      source: source,
      destination: destination,
      filter: filter,
      assignments: assignments
    )
  }
}

/// How source objects become other than one object each.
struct SharingSketch: Hashable, Sendable {
  /// Whether those with the same number become one.
  var isUnique: Bool
  /// Whether the last of these is kept.
  var keepsLast = false
  /// Whether an object is made of the text, and one of the text in capitals.
  var isDivided = false

  /// The texts of the objects that are made of one.
  func texts(of text: String) -> [String] { isDivided ? [text, text.uppercased()] : [text] }
}

/// A relationship mapping.
struct AssignmentSketch: Hashable, Sendable {
  var relationship: String
  var value: ValueSketch
  /// Whether the first of several objects counts.
  var takesFirst = false

  static func set(
    _ relationship: String,
    _ value: ValueSketch,
    takesFirst: Bool = false
  ) -> AssignmentSketch {
    AssignmentSketch(relationship: relationship, value: value, takesFirst: takesFirst)
  }
}

/// The value expression of a relationship mapping.
enum ValueSketch: Hashable, Sendable {
  /// There is none.
  case untouched
  /// The constant NULL.
  case nothing
  /// `destinationInstancesForEntityMappingNamed:` of the objects at the end of a path from `$source`.
  case made(by: String, path: [String])
  /// `destinationInstancesForSourceRelationshipNamed:` of the objects at the end of a path, with the
  /// name of a relationship of the source, which does not matter.
  case madeByAny(as: String, path: [String])

  static func made(by mapping: String, _ path: String...) -> ValueSketch {
    .made(by: mapping, path: path)
  }

  static func madeByAny(_ first: String, _ path: String...) -> ValueSketch {
    .madeByAny(as: first, path: [first] + path)
  }

  /// The path from `$source`, where objects are asked for.
  var path: [String]? {
    switch self {
    case .untouched, .nothing: nil
    case .made(_, let path), .madeByAny(_, let path): path
    }
  }
}

/// Which objects a mapping reads, by their number.
enum FilterSketch: Hashable, Sendable {
  case above(Int64)
  case equal(Int64)
  case hasNumber
  case hasNoNumber

  /// Whether it lets an object pass; of nil no order holds.
  func holds(for number: Int64?) -> Bool {
    switch self {
    case .above(let limit): number.map { $0 > limit } ?? false
    case .equal(let other): number == other
    case .hasNumber: number != nil
    case .hasNoNumber: number == nil
    }
  }
}

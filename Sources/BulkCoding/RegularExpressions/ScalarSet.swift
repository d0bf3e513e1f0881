/// A set of scalars, defined by set operations.
struct ScalarSet: Sendable {
  /// An operation on a stack of sets.
  enum Step: Sendable {
    /// Pushes an empty set.
    case begin
    /// Adds scalars to the top set.
    case range(ClosedRange<Unicode.Scalar>)
    /// Adds scalars to the top set.
    case property(ScalarProperty)
    /// Pops the top set and adds it to the one below.
    case union
    /// Pops the top set and intersects the one below with it.
    case intersection
    /// Pops the top set and subtracts it from the one below.
    case difference
    /// Adds the case variants of its members to the top set.
    case closeOverCase
    /// Complements the top set.
    case complement
  }

  private let steps: [Step]
  private let isCaseInsensitive: Bool
  /// Whether the set contains each ASCII scalar.
  private var ascii: [Bool] = []

  /// The set that the steps leave, which must be exactly one.
  init(_ steps: [Step], isCaseInsensitive: Bool) {
    self.steps = steps
    self.isCaseInsensitive = isCaseInsensitive
    ascii = (UInt8(0)..<0x80).map { calculatedContains(Unicode.Scalar($0)) }
  }

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII ? ascii[Int(scalar.value)] : calculatedContains(scalar)
  }

  /// Evaluates all case variants of a scalar at once; each has one bit.
  private func calculatedContains(_ scalar: Unicode.Scalar) -> Bool {
    let scalars = isCaseInsensitive ? CaseClosure.equivalents(of: scalar) : [scalar]
    let all = UInt8((1 << scalars.count) - 1)
    var sets: [UInt8] = []
    var last: UInt8 = 0
    for step in steps {
      switch step {
      case .begin:
        sets.append(last)
        last = 0
      case .range(let range): last |= Self.bits(of: scalars) { range.contains($0) }
      case .property(let property): last |= Self.bits(of: scalars, where: property.contains)
      case .union: last |= sets.popLast() ?? 0
      case .intersection: last &= sets.popLast() ?? 0
      case .difference: last = (sets.popLast() ?? 0) & ~last
      case .closeOverCase: last = last == 0 ? 0 : all
      case .complement: last = ~last & all
      }
    }
    guard let place = scalars.firstIndex(of: scalar) else { return false }
    return last & (1 << UInt8(place)) != 0
  }

  private static func bits(
    of scalars: [Unicode.Scalar],
    where isMember: (Unicode.Scalar) -> Bool
  ) -> UInt8 {
    var bits: UInt8 = 0
    for (place, scalar) in scalars.enumerated() where isMember(scalar) {
      bits |= 1 << UInt8(place)
    }
    return bits
  }
}

extension Unicode.Scalar {
  /// The scalar that represents all its case variants.
  ///
  /// The standard library has Unicode's case mappings, but not its case foldings; these follow from the
  /// mappings, except for the cases listed here.
  var simpleCaseFolding: Unicode.Scalar {
    if value < 0x80 {
      return ("A"..."Z").contains(self) ? Unicode.Scalar(UInt8(value) + 32) : self
    }
    switch self {
    case "\u{130}", "\u{131}": return self
    case "\u{1FD3}": return "\u{390}"
    case "\u{1FE3}": return "\u{3B0}"
    case "\u{FB05}": return "\u{FB06}"
    default:
      let upper = Self.only(properties.uppercaseMapping) ?? self
      return Self.only(upper.properties.lowercaseMapping) ?? upper
    }
  }

  /// The full folding, for comparing sequences of scalars; `ß` becomes `ss`.
  var fullCaseFolding: [Unicode.Scalar] {
    if value < 0x80 { return [simpleCaseFolding] }
    if self == "\u{130}" { return ["i", "\u{307}"] }
    if self == "\u{131}" { return [self] }
    let upper = simpleCaseFolding.properties.uppercaseMapping
    return upper.unicodeScalars.map(\.simpleCaseFolding)
  }

  private static func only(_ text: String) -> Unicode.Scalar? {
    let scalars = text.unicodeScalars
    return scalars.count == 1 ? scalars.first : nil
  }
}

/// The scalars that differ only in case.
enum CaseClosure {
  /// All scalars with equal simple folding, if there are several; at most four.
  private static let classes: [Unicode.Scalar: [Unicode.Scalar]] = {
    var found: [Unicode.Scalar: [Unicode.Scalar]] = [:]
    // No scalar above this range has case.
    for value in UInt32(0)..<0x1_F000 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let folding = scalar.simpleCaseFolding
      if folding != scalar { found[folding, default: [folding]].append(scalar) }
    }
    return found
  }()

  static func equivalents(of scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    classes[scalar.simpleCaseFolding] ?? [scalar]
  }
}

/// The order in which people number versions: runs of digits count as numbers, so that `Model 2` stands
/// before `Model 10`, and `Model` before both.
///
/// A package of versions records no order of its own, so that of the names is the only one there is.
package enum NaturalOrder {
  /// Whether one name stands before another; capital letters count as small ones, unless the names
  /// are the same otherwise.
  package static func precedes(_ first: String, _ second: String) -> Bool {
    let (one, other) = (parts(first), parts(second))
    for (left, right) in zip(one, other) where left != right {
      return left.precedes(right)
    }
    if one.count != other.count { return one.count < other.count }
    return first.utf16.lexicographicallyPrecedes(second.utf16)
  }

  /// A run of digits, without zeros before it, or a character of another kind.
  private struct Part: Equatable {
    let digits: [UInt8]
    let letter: UInt16

    func precedes(_ other: Part) -> Bool {
      guard !digits.isEmpty, !other.digits.isEmpty else {
        // A number stands before any letter, as digits do among code units.
        return digits.isEmpty == other.digits.isEmpty
          ? letter < other.letter : !digits.isEmpty
      }
      return digits.count == other.digits.count
        ? digits.lexicographicallyPrecedes(other.digits) : digits.count < other.digits.count
    }
  }

  private static func parts(_ name: String) -> [Part] {
    var result: [Part] = []
    var digits: [UInt8] = []
    var isInNumber = false
    func endNumber() {
      guard isInNumber else { return }
      let bare = Array(digits.drop { $0 == 0 })
      result.append(Part(digits: bare.isEmpty ? [0] : bare, letter: 0))
      digits = []
      isInNumber = false
    }
    for unit in name.lowercased().utf16 {
      if (0x30...0x39).contains(unit) {
        isInNumber = true
        digits.append(UInt8(unit - 0x30))
      } else {
        endNumber()
        result.append(Part(digits: [], letter: unit))
      }
    }
    endNumber()
    return result
  }
}

internal import BulkModel

/// The order in which a Foundation dictionary enumerates its string keys.
///
/// In Core Data it decides which side of a reflexive many-to-many pair names the join table. It is a guess
/// that fits most stores; an existing store shows its own choice. Source: observed on the property
/// dictionaries of 454 archived entities.
enum FoundationDictionaryOrder {
  private static let sizes: [(upTo: Int, size: Int)] = [
    (3, 3), (6, 7), (11, 13), (19, 23), (32, 41), (52, 71), (85, 127), (118, 191), (155, 251),
    (237, 383), (390, 631), (672, 1087), (1065, 1723), (1732, 2803),
  ]

  /// Sorts distinct keys as a dictionary of them would enumerate them.
  static func sorted(_ keys: [String]) -> [String] {
    let ordered = keys.sortedByCodeUnit()
    let size = sizes.first { ordered.count <= $0.upTo }?.size ?? ordered.count * 2 + 1
    var slots = [String?](repeating: nil, count: size)
    for key in ordered {
      var slot = Int(hash(key) % UInt64(size))
      while slots[slot] != nil { slot = (slot + 1) % size }
      slots[slot] = key
    }
    return slots.compactMap(\.self)
  }

  /// The hash of a string, over its UTF-16 units; only the ends and the middle of a long one count.
  private static func hash(_ key: String) -> UInt64 {
    let all = Array(key.utf16)
    var units = all[...]
    if all.count > 96 {
      let middle = all.count / 2 - 16
      units = (all[..<32] + all[middle..<(middle + 32)] + all[(all.count - 32)...])[...]
    }
    var result = UInt64(all.count)
    while units.count >= 4 {
      let four = units.prefix(4).map(UInt64.init)
      result =
        result &* 67_503_105 &+ four[0] &* 16_974_593 &+ four[1] &* 66_049 &+ four[2] &* 257
        &+ four[3]
      units = units.dropFirst(4)
    }
    for unit in units { result = result &* 257 &+ UInt64(unit) }
    return result &+ (result << UInt64(all.count & 31))
  }
}

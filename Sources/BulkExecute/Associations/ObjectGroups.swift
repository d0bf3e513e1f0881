internal import BulkMapping
internal import BulkStore

/// Sorts source objects into groups that become one object each.
final class ObjectGroups {
  /// A source object with the object that it becomes.
  struct Member {
    /// The place of its entity mapping among those that share the objects.
    let mapping: Int
    let sourceKey: Int64
    let object: Int64
    let isKept: Bool
  }

  private let kept: ObjectUniqueness.Kept
  private let isNilDistinct: Bool
  private let byValue: ExternalSorter<NumberTuple>
  private let byNumber: ExternalSorter<NumberTuple>
  /// Where the groups of a single entity mapping are noted; `nil` if they are sorted back.
  private let keptMembers: KeptMembers?
  enum Keys {
    case shifted(by: Int64)
    case new(from: Int64)
  }

  /// The keys of objects, and the number of the first source object, by entity mapping.
  private var mappings: [(keys: Keys, first: UInt64)] = []
  private(set) var count: UInt64 = 0

  /// Source objects with nil are in no group if `isNilDistinct`.
  ///
  /// `keptMembers` are for a single entity mapping, which shifts its keys; `nil` where objects are sorted back.
  init(
    keeping kept: ObjectUniqueness.Kept,
    isNilDistinct: Bool,
    in scratch: SortScratch,
    noting keptMembers: KeptMembers?
  ) {
    self.keptMembers = keptMembers
    self.kept = kept
    self.isNilDistinct = isNilDistinct
    byValue = ExternalSorter((), in: scratch)
    byNumber = ExternalSorter((), in: scratch)
  }

  func begin(_ keys: Keys) { mappings.append((keys, count)) }

  /// Adds a source object, or an element of one, in the order of the keys.
  func add(_ sourceKey: Int64, _ values: GroupDigest) throws {
    let (number, source) = (count, UInt64(bitPattern: sourceKey))
    count += 1
    if isNilDistinct && values.hasNil {
      if let keptMembers { return try keptMembers.note(sourceKey, keptWith: sourceKey) }
      let object = UInt64(bitPattern: object(number, sourceKey))
      return try byNumber.add(NumberTuple(number, source, object, then: 1))
    }
    // The first of those that agree is the one to keep.
    let order = kept == .last ? ~number : number
    try byValue.add(NumberTuple(values.first, values.second, order, then: source))
  }

  /// All source objects, one at each call, in the order in which they were added; `nil` after the last.
  func members() throws -> () throws -> Member? {
    let sorted = try byValue.sorted()
    if let keptMembers { return try members(sorted, in: keptMembers) }
    var last: NumberTuple?
    var object: UInt64 = 0
    while let tuple = try sorted() {
      let number = kept == .last ? ~tuple.third : tuple.third
      let isKept = last?.first != tuple.first || last?.second != tuple.second
      if isKept {
        object = UInt64(bitPattern: self.object(number, Int64(bitPattern: tuple.fourth)))
      }
      last = tuple
      try byNumber.add(NumberTuple(number, tuple.fourth, object, then: isKept ? 1 : 0))
    }
    let (ordered, firsts) = (try byNumber.sorted(), mappings.map(\.first))
    var mapping = 0
    return {
      guard let tuple = try ordered() else { return nil }
      while mapping + 1 < firsts.count, firsts[mapping + 1] <= tuple.first { mapping += 1 }
      return Member(
        mapping: mapping,
        sourceKey: Int64(bitPattern: tuple.second),
        object: Int64(bitPattern: tuple.third),
        isKept: tuple.fourth == 1
      )
    }
  }

  private func members(
    _ sorted: () throws -> NumberTuple?,
    in keptMembers: KeptMembers
  ) throws -> () throws -> Member? {
    var last: NumberTuple?
    var kept: Int64 = 0
    while let tuple = try sorted() {
      let sourceKey = Int64(bitPattern: tuple.fourth)
      if last?.first != tuple.first || last?.second != tuple.second { kept = sourceKey }
      last = tuple
      try keptMembers.note(sourceKey, keptWith: kept)
    }
    let offset = object(0, 0)
    return {
      keptMembers.next().map { sourceKey, kept in
        Member(
          mapping: 0,
          sourceKey: sourceKey,
          object: kept &+ offset,
          isKept: kept == sourceKey
        )
      }
    }
  }

  private func object(_ number: UInt64, _ sourceKey: Int64) -> Int64 {
    guard let mapping = mappings.last(where: { $0.first <= number }) else { return sourceKey }
    return switch mapping.keys {
    case .shifted(let offset): sourceKey &+ offset
    case .new(let first): first &+ Int64(bitPattern: number &- mapping.first)
    }
  }
}

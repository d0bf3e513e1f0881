internal import BulkAssociation
internal import BulkMapping
internal import BulkStore

/// Sorts source objects into groups that become one object each.
final class ObjectGroups {
  /// A source object with the object that it becomes.
  struct Member {
    /// The place of its entity mapping among those that share the objects.
    let mapping: Int
    /// The key of the source object.
    let sourceKey: Int64
    /// The key of the object.
    let object: Int64
    /// Whether the object is made from this source object.
    let isKept: Bool
  }

  private let kept: ObjectUniqueness.Kept
  private let isNilDistinct: Bool
  private let byValue: TupleSorter
  private let byNumber: TupleSorter
  /// The offsets from source keys to the keys of objects, and the first number of a source object, by entity
  /// mapping.
  private var mappings: [(offset: Int64, first: UInt64)] = []
  private var count: UInt64 = 0

  /// - Parameters:
  ///   - kept: The source object whose object is made.
  ///   - isNilDistinct: Whether source objects with nil are in no group.
  ///   - scratch: Where they are sorted.
  init(keeping kept: ObjectUniqueness.Kept, isNilDistinct: Bool, in scratch: LinkScratch) {
    self.kept = kept
    self.isNilDistinct = isNilDistinct
    byValue = TupleSorter(in: scratch)
    byNumber = TupleSorter(in: scratch)
  }

  /// Begins the source objects of the next entity mapping.
  func begin(offset: Int64) { mappings.append((offset, count)) }

  /// Adds a source object with its values, in the order of the keys.
  func add(_ sourceKey: Int64, _ values: ValueDigest) throws {
    let (number, source) = (count, UInt64(bitPattern: sourceKey))
    count += 1
    if isNilDistinct && values.hasNil {
      let object = UInt64(bitPattern: sourceKey &+ (mappings.last?.offset ?? 0))
      return try byNumber.add(NumberTuple(number, source, object, 1))
    }
    // The first of those that agree is the one to keep.
    let order = kept == .first ? number : ~number
    try byValue.add(NumberTuple(values.first, values.second, order, source))
  }

  /// All source objects, in the order in which they were added.
  func members() throws -> MemberOrder {
    let sorted = try byValue.sorted()
    var last: NumberTuple?
    var object: UInt64 = 0
    while let tuple = try sorted.next() {
      let number = kept == .first ? tuple.third : ~tuple.third
      let isKept = last?.first != tuple.first || last?.second != tuple.second
      if isKept {
        let offset = mappings[mapping(of: number)].offset
        object = UInt64(bitPattern: Int64(bitPattern: tuple.fourth) &+ offset)
      }
      last = tuple
      try byNumber.add(NumberTuple(number, tuple.fourth, object, isKept ? 1 : 0))
    }
    return MemberOrder(try byNumber.sorted(), firsts: mappings.map(\.first))
  }

  /// The entity mapping whose source object has a number.
  private func mapping(of number: UInt64) -> Int {
    mappings.lastIndex { $0.first <= number } ?? 0
  }
}

/// Source objects in the order in which they were added to groups.
final class MemberOrder {
  private let sorted: SortedTuples
  private let firsts: [UInt64]
  private var mapping = 0

  init(_ sorted: SortedTuples, firsts: [UInt64]) {
    self.sorted = sorted
    self.firsts = firsts
  }

  /// The next source object; `nil` after the last.
  func next() throws -> ObjectGroups.Member? {
    guard let tuple = try sorted.next() else { return nil }
    while mapping + 1 < firsts.count, firsts[mapping + 1] <= tuple.first { mapping += 1 }
    return ObjectGroups.Member(
      mapping: mapping,
      sourceKey: Int64(bitPattern: tuple.second),
      object: Int64(bitPattern: tuple.third),
      isKept: tuple.fourth == 1
    )
  }
}

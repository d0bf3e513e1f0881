/// Entries in memory, packed into a number each, in the order of their row ids until they are sorted.
final class PackedEntries<Entry: PackedEntry> {
  let capacity: Int
  private(set) var count = 0
  private(set) var packing: EntryPacking
  private let entries: UnsafeMutablePointer<Entry>
  private var isAscending = true

  private static var digitBits: Int { 11 }

  /// Reserves space for entries, which take twice their size while they are sorted.
  init(capacity: Int, _ packing: EntryPacking) {
    self.capacity = capacity
    self.packing = packing
    entries = .allocate(capacity: capacity)
  }

  deinit { entries.deallocate() }

  /// The bytes that an entry takes, those for sorting included.
  static var bytes: Int { 2 * MemoryLayout<Entry>.stride }

  func hasRoom(for more: Int) -> Bool { count <= capacity - more }

  subscript(index: Int) -> Entry { entries[index] }

  func repack(_ wider: EntryPacking) {
    for index in 0..<count { entries[index] = packing.number(of: entries[index], under: wider) }
    packing = wider
  }

  /// There is space for the entries, and the packing fits.
  ///
  /// The words of one field follow those of another, a stride apart.
  func add(_ batch: UnsafePointer<UInt64>, stride: Int, _ more: Int) {
    precondition(hasRoom(for: more), "entries fit into memory")
    let new = entries + count
    new.initialize(repeating: 0, count: more)
    for (index, field) in packing.fields.enumerated() {
      let words = batch + index * stride
      let shift = Entry(field.bits)
      for position in 0..<more {
        new[position] =
          new[position] &<< shift | Entry(truncatingIfNeeded: field.number(of: words[position]))
      }
    }
    if isAscending {
      for position in max(count, 1)..<(count + more) where entries[position] < entries[position - 1]
      {
        isAscending = false
        break
      }
    }
    count += more
  }

  func removeAll() {
    count = 0
    isAscending = true
  }

  /// Sorts the entries by their digits; those of the row id are in order already.
  func sort() {
    guard !isAscending else { return }
    let spare = UnsafeMutablePointer<Entry>.allocate(capacity: count)
    let positions = UnsafeMutablePointer<Int>.allocate(capacity: 1 << Self.digitBits)
    defer {
      spare.deallocate()
      positions.deallocate()
    }
    var (from, to) = (entries, spare)
    let mask = Entry(1) << Entry(Self.digitBits) - 1
    for shift in stride(from: packing.rowBits, to: packing.bits, by: Self.digitBits) {
      let shift = Entry(shift)
      positions.initialize(repeating: 0, count: 1 << Self.digitBits)
      for index in 0..<count {
        positions[Int(truncatingIfNeeded: from[index] &>> shift & mask)] += 1
      }
      // All of them have the same digit.
      if positions[Int(truncatingIfNeeded: from[0] &>> shift & mask)] == count { continue }
      var sum = 0
      for digit in 0..<(1 << Self.digitBits) {
        let size = positions[digit]
        positions[digit] = sum
        sum += size
      }
      for index in 0..<count {
        let digit = Int(truncatingIfNeeded: from[index] &>> shift & mask)
        to[positions[digit]] = from[index]
        positions[digit] += 1
      }
      swap(&from, &to)
    }
    if from != entries { entries.update(from: from, count: count) }
    isAscending = true
  }
}

internal import BulkStore

/// The source keys of an association table whose destination keys have an offset from them: the objects
/// that are made under keys of their own, not those that are merged into others.
final class KeptKeys {
  private let reader: AssociationCursor
  private let offset: Int64
  /// The rest of the range that was read last.
  private var current: ClosedRange<Int64>?

  init(_ table: AssociationTable, at offset: Int64) throws {
    reader = try AssociationCursor(table)
    self.offset = offset
  }

  /// Ranges of kept keys, as many as one transaction takes; none after the last.
  func nextRanges(_ batchRows: Int64) throws -> [ClosedRange<Int64>] {
    var result: [ClosedRange<Int64>] = []
    var left = KeyRanges.rowsAtOnce(batchRows)
    while left > 0 {
      guard let range = try current ?? next() else { break }
      let count = min(range.upperBound - range.lowerBound + 1, batchRows, left)
      let end = range.lowerBound + (count - 1)
      result.append(range.lowerBound...end)
      left -= count
      current = end < range.upperBound ? (end + 1)...range.upperBound : nil
    }
    return result
  }

  /// The least of these keys from a key on, which never descends from call to call; `nil` if there is none.
  func first(from key: Int64) throws -> Int64? {
    while current.map({ $0.upperBound < key }) ?? true {
      current = try next()
      if current == nil { return nil }
    }
    return current.map { max($0.lowerBound, key) }
  }

  private func next() throws -> ClosedRange<Int64>? {
    while let run = try reader.nextRun() {
      if run.sourceKey &+ offset == run.destinationKey { return run.sourceKey...run.lastSourceKey }
    }
    return nil
  }
}

/// The elements that become objects, by the association table of an entity mapping that makes an
/// object for each element and finds existing objects.
///
/// Every element has one association, and the objects of the elements have consecutive keys from
/// the first one, some of them unused: an element is kept if its association leads to its own
/// object.
final class KeptElements {
  private let reader: AssociationCursor
  private var object: Int64
  /// The source object whose elements were read last, and those that are kept.
  private var current: (sourceKey: Int64, elements: [(ordinal: Int, object: Int64)])?

  init(_ table: AssociationTable, firstKey: Int64) throws {
    reader = try AssociationCursor(table)
    object = firstKey
  }

  /// The least key of a source object with kept elements from a key on; `nil` if there is none.
  ///
  /// Keys never descend from call to call.
  func first(from key: Int64) throws -> Int64? {
    while current.map({ $0.sourceKey < key || $0.elements.isEmpty }) ?? true {
      guard try readNext() else { return nil }
    }
    return current?.sourceKey
  }

  func elements(of key: Int64) throws -> [(ordinal: Int, object: Int64)] {
    try first(from: key) == key ? current?.elements ?? [] : []
  }

  private func readNext() throws -> Bool {
    guard let first = try reader.nextPair() else { return false }
    var elements: [(ordinal: Int, object: Int64)] = []
    var ordinal = 0
    var next: (source: Int64, object: Int64)? = first
    while let pair = next {
      if pair.object == object { elements.append((ordinal, object)) }
      ordinal += 1
      object += 1
      next = try reader.nextPair(of: first.source)
    }
    current = (first.source, elements)
    return true
  }
}

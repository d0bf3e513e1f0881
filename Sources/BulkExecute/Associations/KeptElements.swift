internal import BulkAssociation

/// The elements that become objects, by the association table of an entity mapping that makes an
/// object for each element and finds existing objects.
///
/// Every element has one association, and the objects of the elements have consecutive keys from
/// the first one, some of them unused: an element is kept if its association leads to its own
/// object.
final class KeptElements {
  struct Element {
    /// Its place among the elements of its source object.
    let place: Int
    /// The key of its object.
    let object: Int64
  }

  private let pairs: PairReader
  /// The key of the object of the next element.
  private var object: Int64
  /// The source object whose elements were read last, and those that are kept.
  private var current: (sourceKey: Int64, elements: [Element])?

  init(_ table: AssociationTable, firstKey: Int64) throws {
    pairs = try PairReader(table)
    object = firstKey
  }

  /// The least key of a source object with such elements that is not below a key, which is below no earlier one;
  /// `nil` if there is none.
  ///
  /// - Throws: `AssociationError` for corrupt segments.
  func first(from key: Int64) throws -> Int64? {
    while current.map({ $0.sourceKey < key || $0.elements.isEmpty }) ?? true {
      guard try readNext() else { return nil }
    }
    return current?.sourceKey
  }

  /// The elements of a source object that are kept, in their order.
  func elements(of key: Int64) throws -> [Element] {
    try first(from: key) == key ? current?.elements ?? [] : []
  }

  /// Reads the associations of the next source object.
  private func readNext() throws -> Bool {
    guard let first = try pairs.peek() else { return false }
    var elements: [Element] = []
    var place = 0
    while let next = try pairs.peek(), next.sourceKey == first.sourceKey {
      _ = try pairs.next()
      if next.object == object { elements.append(Element(place: place, object: object)) }
      place += 1
      object += 1
    }
    current = (first.sourceKey, elements)
    return true
  }
}

/// The associations of a table, one after the other.
final class PairReader {
  private var reader: AssociationReader
  private var runs: [AssociationRun] = []
  private var run = 0
  private var step: Int64 = 0

  init(_ table: AssociationTable) throws { reader = try AssociationReader(table) }

  /// The next association; `nil` after the last.
  func next() throws -> (sourceKey: Int64, object: Int64)? {
    defer { step += 1 }
    return try peek()
  }

  /// What ``next()`` will return.
  func peek() throws -> (sourceKey: Int64, object: Int64)? {
    while run == runs.count || step == runs[run].length {
      if run < runs.count { run += 1 }
      step = 0
      guard run == runs.count else { continue }
      guard let more = try reader.nextRuns() else { return nil }
      (runs, run) = (more, 0)
    }
    return (runs[run].sourceKey + step, runs[run].destinationKey + step)
  }
}

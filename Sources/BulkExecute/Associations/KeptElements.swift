internal import BulkAssociation

/// The elements that become objects, by the association table of an entity mapping that makes an
/// object for each element and finds existing objects.
///
/// Every element has one association, and the objects of the elements have consecutive keys from
/// the first one, some of them unused: an element is kept if its association leads to its own
/// object.
final class KeptElements {
  struct Element {
    let place: Int
    let object: Int64
  }

  private let pairs: PairReader
  private var object: Int64
  /// The source object whose elements were read last, and those that are kept.
  private var current: (sourceKey: Int64, elements: [Element])?

  init(_ table: AssociationTable, firstKey: Int64) throws {
    pairs = try PairReader(table)
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

  func elements(of key: Int64) throws -> [Element] {
    try first(from: key) == key ? current?.elements ?? [] : []
  }

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

  func next() throws -> (sourceKey: Int64, object: Int64)? {
    defer { step += 1 }
    return try peek()
  }

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

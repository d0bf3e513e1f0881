/// Merges sorted runs of links.
final class LinkMerge {
  private let order: LinkOrder
  private let readers: [LinkRunReader]
  /// The next link of each reader.
  private var heads: ContiguousArray<Link> = []
  /// The readers that are not at their end, as a heap: none comes before the one at half its index.
  private var heap: ContiguousArray<Int> = []

  init(_ all: [LinkRunReader], _ order: LinkOrder) throws(AssociationError) {
    self.order = order
    var readers: [LinkRunReader] = []
    for reader in all {
      guard let link = try reader.next() else { continue }
      readers.append(reader)
      heads.append(link)
    }
    self.readers = readers
    heap = ContiguousArray(readers.indices)
    for place in heap.indices.reversed() { sink(place) }
  }

  /// The next link; `nil` after the last.
  func next() throws(AssociationError) -> Link? {
    guard let first = heap.first else { return nil }
    let link = heads[first]
    if let following = try readers[first].next() {
      heads[first] = following
    } else if let last = heap.popLast(), !heap.isEmpty {
      heap[0] = last
    }
    sink(0)
    return link
  }

  /// Moves a reader down the heap until none below it comes before it.
  private func sink(_ start: Int) {
    guard start < heap.count else { return }
    let reader = heap[start]
    var place = start
    while true {
      var below = 2 * place + 1
      guard below < heap.count else { break }
      if below + 1 < heap.count, order.precedes(heads[heap[below + 1]], heads[heap[below]]) {
        below += 1
      }
      guard order.precedes(heads[heap[below]], heads[reader]) else { break }
      heap[place] = heap[below]
      place = below
    }
    heap[place] = reader
  }
}

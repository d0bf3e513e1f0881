/// Sorts any number of links in the memory of a ``LinkScratch``.
///
/// The collected links become a sorted run whenever the memory is used up; runs are compressed on disk and
/// merged.
package final class LinkSorter {
  /// The number of links at which the full capacity is reserved.
  private static let fewLinks = 1024

  private let order: LinkOrder
  private let scratch: LinkScratch
  /// The number of links collected before they become a run; sorting takes half as much memory again.
  private let capacity: Int
  private var links: ContiguousArray<Link> = []
  private var runs: LinkRuns?

  /// Prepares to sort.
  package init(_ order: LinkOrder, in scratch: LinkScratch) {
    self.order = order
    self.scratch = scratch
    capacity = scratch.memory * 2 / 3 / MemoryLayout<Link>.stride
  }

  /// Adds a link.
  package func add(_ link: Link) throws(AssociationError) {
    if links.count == capacity { try spill() }
    // Growing by doubling would exceed the memory limit.
    if links.count == Self.fewLinks { links.reserveCapacity(capacity) }
    links.append(link)
  }

  /// The links in sorted order.
  package func sorted() throws(AssociationError) -> SortedLinks {
    guard runs != nil else {
      let order = order
      links.sort { order.precedes($0, $1) }
      return SortedLinks(links)
    }
    try spill()
    links = []
    var runs = self.runs
    while let more = runs, more.count > LinkRuns.mergedAtOnce { runs = try more.merged(order) }
    return try SortedLinks(merging: runs?.readers() ?? [], order)
  }

  private func spill() throws(AssociationError) {
    let order = order
    links.sort { order.precedes($0, $1) }
    if runs == nil { runs = try LinkRuns(scratch) }
    let links = links
    var place = 0
    try runs?.append { () throws(AssociationError) in
      guard place < links.count else { return nil }
      defer { place += 1 }
      return links[place]
    }
    self.links.removeAll(keepingCapacity: true)
  }
}

/// Links in an order.
package final class SortedLinks {
  /// Links that are all in memory, and the index of the next one.
  private var links: ContiguousArray<Link>
  private var place = 0
  /// The runs being merged, with the next link of each; the one with the first link of all is last.
  private var heads: [(link: Link, reader: LinkRunReader)] = []
  private let order: LinkOrder?

  init(_ links: ContiguousArray<Link>) {
    self.links = links
    order = nil
  }

  init(merging readers: [LinkRunReader], _ order: LinkOrder) throws(AssociationError) {
    links = []
    self.order = order
    for reader in readers {
      guard let link = try reader.next() else { continue }
      insert(link, reader)
    }
  }

  /// The next link; `nil` after the last.
  package func next() throws(AssociationError) -> Link? {
    guard order != nil else {
      guard place < links.count else { return nil }
      defer { place += 1 }
      return links[place]
    }
    guard !heads.isEmpty else { return nil }
    let (link, reader) = heads.removeLast()
    if let following = try reader.next() { insert(following, reader) }
    return link
  }

  /// Inserts a run among the others.
  private func insert(_ link: Link, _ reader: LinkRunReader) {
    guard let order else { return }
    var (low, high) = (0, heads.count)
    while low < high {
      let middle = (low + high) / 2
      if order.precedes(link, heads[middle].link) { low = middle + 1 } else { high = middle }
    }
    heads.insert((link, reader), at: low)
  }
}

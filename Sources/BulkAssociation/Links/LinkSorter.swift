/// Sorts any number of links in the memory of a ``LinkScratch``.
///
/// The collected links become a sorted run whenever the memory is used up; runs are packed on disk and
/// merged.
package final class LinkSorter {
  /// The number of links at which the full capacity is reserved.
  private static let fewLinks = 1024

  private let order: LinkOrder
  private let scratch: LinkScratch
  /// The number of links collected before they become a run.
  private let capacity: Int
  private var links: ContiguousArray<Link> = []
  private var runs: LinkRuns?

  /// Prepares to sort.
  package init(_ order: LinkOrder, in scratch: LinkScratch) {
    self.order = order
    self.scratch = scratch
    capacity =
      scratch.memory / (MemoryLayout<Link>.stride + LinkArrangement.linkMemory)
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
    guard runs != nil else { return SortedLinks(arranged()) }
    try spill()
    links = []
    var runs = self.runs
    while let more = runs, more.count > LinkRuns.mergedAtOnce { runs = try more.merged(order) }
    let merge = try LinkMerge(runs?.readers() ?? [], order)
    return SortedLinks { () throws(AssociationError) in try merge.next() }
  }

  private func spill() throws(AssociationError) {
    if runs == nil { runs = try LinkRuns(scratch) }
    try runs?.append(arranged())
    links.removeAll(keepingCapacity: true)
  }

  /// The collected links in order, one after the other.
  private func arranged() -> () throws(AssociationError) -> Link? {
    let arrangement = LinkArrangement(of: links, order)
    var place = 0
    return { [self] () throws(AssociationError) in
      guard place < links.count else { return nil }
      defer { place += 1 }
      return links[Int(arrangement.indexes[place])]
    }
  }
}

/// Links in an order.
package final class SortedLinks {
  private let following: () throws(AssociationError) -> Link?

  /// Links as a body returns them, one after the other; `nil` after the last.
  package init(_ following: @escaping () throws(AssociationError) -> Link?) {
    self.following = following
  }

  /// The next link; `nil` after the last.
  package func next() throws(AssociationError) -> Link? { try following() }
}

/// Where links are sorted: a folder for links that do not fit into memory, and the memory limit of each
/// sort.
package final class LinkScratch {
  /// The least memory in bytes that a sort needs.
  package static let leastMemory = 1 << 20

  /// The memory in bytes for the links that one sort collects, including the memory for sorting them.
  let memory: Int
  private let folder: String
  private let prefix: String
  private var files = 0

  /// Prepares a place to sort.
  ///
  /// - Parameters:
  ///   - folder: The folder of the files; none of them outlives the process, even if it crashes.
  ///   - prefix: The prefix of their names.
  ///   - memory: The memory limit of each sort in bytes; at least ``leastMemory``.
  package init(in folder: String, prefix: String, memory: Int) {
    self.folder = folder
    self.prefix = prefix
    self.memory = max(memory, Self.leastMemory)
  }

  /// Creates a file without a name.
  func makeFile() throws(AssociationError) -> SegmentFile {
    files += 1
    return try SegmentFile(unnamedIn: folder, as: "\(prefix)-sorted-\(files)")
  }
}

internal import BulkAssociation

/// Links that are looked up together.
struct LinkPage {
  private static let capacity = 1024

  private(set) var links: ContiguousArray<Link> = []

  /// Replaces the links by the next ones of a body.
  ///
  /// - Returns: Whether there are any.
  mutating func fill(_ next: () throws -> Link?) rethrows -> Bool {
    links.removeAll(keepingCapacity: true)
    while links.count < Self.capacity, let link = try next() { links.append(link) }
    return !links.isEmpty
  }

  /// The keys of the source objects at an end.
  func keys(_ end: Link.End) -> [Int64] { links.map { $0[end].source } }
}

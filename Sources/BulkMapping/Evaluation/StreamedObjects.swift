internal import BulkModel

/// The objects of a to-many relationship that are not held in memory, because there are too many, or
/// because many rows share their owner: they are read again whenever an expression needs them.
package struct StreamedObjects: Hashable, Sendable {
  /// The index of the relationship, as the reader numbers them.
  package let source: Int
  /// The key of the owner.
  package let owner: Int64

  package init(source: Int, owner: Int64) {
    self.source = source
    self.owner = owner
  }
}

package struct ObjectStream {
  /// Passes the objects to a body page by page, in order, until the body returns `false`.
  ///
  /// It returns a message if the objects cannot be read.
  package typealias Reading = (
    _ objects: StreamedObjects, _ body: ([ObjectValue]) -> Bool
  ) -> String?

  package let read: Reading
  /// The maximum number of objects in memory for an operation that needs all of them at once.
  package let heldLimit: Int
  /// The bytes that the results of methods for one row may take.
  package let heldBytes: Int
  /// Counts the results for the rows of a page; `nil` for pages of any size.
  let results: ResultMemory?
  /// A cache of values computed from the objects of shared owners.
  let memory: FoldMemory?

  package init(
    heldLimit: Int,
    heldBytes: Int,
    results: ResultMemory? = nil,
    memory: FoldMemory? = nil,
    read: @escaping Reading
  ) {
    self.memory = memory
    self.heldLimit = heldLimit
    self.heldBytes = heldBytes
    self.results = results
    self.read = read
  }

  package static var none: ObjectStream {
    ObjectStream(heldLimit: 0, heldBytes: 1 << 20) { _, _ in nil }
  }
}

/// A cache of expression values over the objects of a relationship, so that they are computed once for each
/// owner that many rows share.
///
/// It keeps the values that were used most recently, within a limit: a value that is needed again within some
/// thousand others is not computed again. A value is cached only if it depends on the owner alone.
package final class FoldMemory {
  private enum Site: Hashable {
    case function(Function, ExpressionNode)
    case comparison(ComparisonNode)
  }

  private struct Key: Hashable {
    let site: Int
    let objects: StreamedObjects
  }

  private let byteLimit: Int
  private var sites: [Site] = []
  private var recent: [Key: AttributeValue] = [:]
  private var older: [Key: AttributeValue] = [:]
  /// The approximate size of ``recent`` in bytes.
  private var bytes = 0

  /// The approximate overhead of an entry in bytes, without its text.
  private static let overhead = 128

  package init(bytes: Int) { byteLimit = bytes / 2 }

  /// The site of a function of the elements of a chain; `nil` if its value depends on more than the
  /// owner.
  func site(of function: Function, _ node: ExpressionNode, _ chain: ElementChain) -> Int? {
    chain.followsFromOwner ? index(of: .function(function, node)) : nil
  }

  /// The site of a comparison of the elements of a chain with a constant.
  func site(of comparison: ComparisonNode, _ chain: ElementChain) -> Int? {
    guard chain.followsFromOwner, comparison.right.constantValue != nil else { return nil }
    return index(of: .comparison(comparison))
  }

  private func index(of site: Site) -> Int {
    if let index = sites.firstIndex(of: site) { return index }
    sites.append(site)
    return sites.count - 1
  }

  func value(_ site: Int, _ objects: StreamedObjects) -> AttributeValue? {
    let key = Key(site: site, objects: objects)
    if let value = recent[key] { return value }
    guard let value = older[key] else { return nil }
    keep(value, site, objects)
    return value
  }

  func keep(_ value: AttributeValue, _ site: Int, _ objects: StreamedObjects) {
    let size = Self.overhead + value.contentBytes
    guard size <= byteLimit / 16 else { return }
    if bytes + size > byteLimit {
      older = recent
      recent = [:]
      bytes = 0
    }
    bytes += size
    recent[Key(site: site, objects: objects)] = value
  }
}

internal import BulkModel

/// A cache of expression values over the objects of a relationship, so that they are computed once for each
/// owner that many rows share.
///
/// It keeps the values that were used most recently, within a limit: a value that is needed again within some
/// thousand others is not computed again. A value is cached only if it depends on the owner alone.
package final class FoldMemory {
  /// The computation of a value.
  private enum Site: Hashable {
    case function(ExpressionFunction, ExpressionNode)
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

  /// - Parameter bytes: The approximate size limit in bytes.
  package init(bytes: Int) { byteLimit = bytes / 2 }

  /// The site of a function of the elements of a chain; `nil` if its value depends on more than the
  /// owner.
  func site(of function: ExpressionFunction, _ node: ExpressionNode, _ chain: ElementChain) -> Int?
  {
    chain.followsFromOwner ? place(of: .function(function, node)) : nil
  }

  /// The site of a comparison of the elements of a chain with a constant.
  func site(of comparison: ComparisonNode, _ chain: ElementChain) -> Int? {
    guard chain.followsFromOwner, comparison.right.constantValue != nil else { return nil }
    return place(of: .comparison(comparison))
  }

  private func place(of site: Site) -> Int {
    if let place = sites.firstIndex(of: site) { return place }
    sites.append(site)
    return sites.count - 1
  }

  func value(_ site: Int, _ objects: StreamedObjects) -> AttributeValue? {
    let key = Key(site: site, objects: objects)
    if let value = recent[key] { return value }
    guard let value = older[key] else { return nil }
    keep(value, key)
    return value
  }

  func keep(_ value: AttributeValue, _ site: Int, _ objects: StreamedObjects) {
    keep(value, Key(site: site, objects: objects))
  }

  private func keep(_ value: AttributeValue, _ key: Key) {
    let size = Self.overhead + value.contentBytes
    guard size <= byteLimit / 16 else { return }
    if bytes + size > byteLimit {
      older = recent
      recent = [:]
      bytes = 0
    }
    bytes += size
    recent[key] = value
  }
}

extension AttributeValue {
  /// The size in bytes of a text or of data.
  var contentBytes: Int {
    switch self {
    case .string(let text), .uri(let text): text.utf8.count
    case .binary(let bytes): bytes.count
    case .null, .boolean, .integer, .double, .decimal, .date, .uuid: 0
    }
  }
}

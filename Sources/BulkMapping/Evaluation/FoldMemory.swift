internal import BulkModel

/// What expressions gave for the objects of a relationship to which the rows of many objects lead, so that
/// it is computed once for each owner.
///
/// The values that were asked for last are kept, within a bound: whoever asks for a value again before some
/// thousand others does not compute it again. A value is kept only if it follows from the owner alone.
package final class FoldMemory {
  /// What a value was computed by.
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
  /// About the bytes of ``recent``.
  private var bytes = 0

  /// About what a table takes for a value, beside a text.
  private static let overhead = 128

  /// - Parameter bytes: About the most bytes that are kept.
  package init(bytes: Int) { byteLimit = bytes / 2 }

  /// The number of a function of the elements of a chain; `nil` where its value depends on more than the
  /// owner.
  func site(of function: ExpressionFunction, _ node: ExpressionNode, _ chain: ElementChain) -> Int?
  {
    chain.followsFromOwner ? place(of: .function(function, node)) : nil
  }

  /// The number of a comparison of the elements of a chain with a constant.
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
  /// The bytes of a text or of bytes.
  fileprivate var contentBytes: Int {
    switch self {
    case .string(let text), .uri(let text): text.utf8.count
    case .binary(let bytes): bytes.count
    case .null, .boolean, .integer, .double, .decimal, .date, .uuid: 0
    }
  }
}

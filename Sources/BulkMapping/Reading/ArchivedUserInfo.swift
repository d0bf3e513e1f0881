internal import BulkCoding
internal import BulkModel

/// The user info of an archived mapping.
struct ArchivedUserInfo: Sendable {
  /// The entries that are plain values, and finite.
  var values: [String: AttributeValue] = [:]
  /// The keys of the others, in code-unit order.
  var ignored: [String] = []
}

extension ArchivedObject {
  /// What a dictionary holds.
  var userInfo: ArchivedUserInfo {
    var result = ArchivedUserInfo()
    for (key, value) in entries ?? [] {
      if let value = value?.attributeValue, value.json != nil {
        result.values[key] = value
      } else {
        result.ignored.append(key)
      }
    }
    result.ignored = result.ignored.sortedByCodeUnit()
    return result
  }

  /// The plain value that the object is, if it is one.
  private var attributeValue: AttributeValue? {
    if let string { return .string(string) }
    if let decimal { return .decimal(decimal) }
    if case .boolean(let flag)? = plainValue { return .boolean(flag) }
    if case .integer(let number)? = plainValue { return .integer(number) }
    if case .real(let number)? = plainValue { return .double(number) }
    if let date { return .date(date) }
    if let data { return .binary(data) }
    if let uuid { return .uuid(uuid) }
    return url.map { .uri($0) }
  }
}

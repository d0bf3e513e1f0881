/// Hands out the keys of objects that do not have those of their source objects.
final class NewKeys {
  /// The last key that was handed out, by table.
  private(set) var last: [String: Int64]

  init(after highest: [String: Int64]) { last = highest }

  func restore(_ saved: [String: Int64]) { last.merge(saved) { _, saved in saved } }

  /// The first of some new keys of a table; `nil` if fewer are left.
  func take(_ count: Int64 = 1, in table: String) -> Int64? {
    let before = last[table] ?? 0
    let (key, overflow) = before.addingReportingOverflow(count)
    guard !overflow else { return nil }
    last[table] = key
    return before + 1
  }
}

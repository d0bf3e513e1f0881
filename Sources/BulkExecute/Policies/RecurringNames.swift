/// Values by name, for names that are mostly asked for in the same order again and again.
///
/// A name that follows the one before it as it did the last time is found without its hash.
struct RecurringNames<Value> {
  /// In the order in which they were first asked for.
  private(set) var values: [Value] = []
  private var names: [String] = []
  private var indexes: [String: Int] = [:]
  /// The index of the value behind the one that was asked for last.
  private var next = 0

  mutating func value(of name: String) -> Value? {
    if next == names.count { next = 0 }
    let isNext = next < names.count && names[next] == name
    guard let index = isNext ? next : indexes[name] else { return nil }
    next = index + 1
    return values[index]
  }

  mutating func add(_ value: Value, for name: String) -> Value {
    indexes[name] = values.count
    values.append(value)
    names.append(name)
    next = values.count
    return value
  }
}

/// Values by name, for names that are mostly asked for in the same order again and again.
///
/// A name that follows the one before it as it did the last time is found without its hash.
struct RecurringNames<Value> {
  /// In the order in which they were first asked for.
  var values: [Value] = []
  private var names: [String] = []
  private var places: [String: Int] = [:]
  /// The index of the value behind the one that was asked for last.
  private var next = 0

  /// The index of the value with a name, which is made when it is first asked for.
  mutating func place(of name: String, make: () throws -> Value) rethrows -> Int {
    if next == names.count { next = 0 }
    let isNext = next < names.count && names[next] == name
    let place: Int
    if let found = isNext ? next : places[name] {
      place = found
    } else {
      place = values.count
      values.append(try make())
      names.append(name)
      places[name] = place
    }
    next = place + 1
    return place
  }
}

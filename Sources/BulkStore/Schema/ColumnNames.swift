/// Makes names unique in one table, by appending 1, 2, 3 … to the later one.
struct ColumnNames {
  // SQLite compares column names without regard to ASCII case.
  private var taken: Set<String>

  init(taken: [String] = []) { self.taken = Set(taken.map { $0.uppercased() }) }

  /// A name that equals no earlier one.
  mutating func unique(_ wanted: String) -> String {
    var name = wanted
    var suffix = 0
    while !taken.insert(name.uppercased()).inserted {
      suffix += 1
      name = wanted + String(suffix)
    }
    return name
  }
}

/// The one line that reports progress; a function of what is known and of the room there is.
enum ProgressLine {
  /// A part of the line; where there is too little room, the highest rank goes first.
  private typealias Part = (text: String, rank: Int)

  /// The line, never wider than the room.
  ///
  /// ```text
  /// pass 1/2 create  1,234,567/9,112,138 rows 13%  120,000 rows/s  212 MiB of 256 MiB  ETA ~1m 05s
  /// ```
  ///
  /// - Parameters:
  ///   - snapshot: Where the migration stands.
  ///   - pace: How fast it goes.
  ///   - width: The columns there are, or `nil` for as many as it takes.
  /// - Returns: The line without a line break.
  static func text(
    _ snapshot: ProgressSnapshot,
    pace: ProgressPace,
    width: Int?
  ) -> String {
    var parts = parts(snapshot, pace)
    guard let width else { return joined(parts) }
    while joined(parts).displayWidth > width, parts.count > 1,
      let last = parts.indices.max(by: { parts[$0].rank < parts[$1].rank })
    {
      parts.remove(at: last)
    }
    return joined(parts).truncated(to: width)
  }

  private static func parts(_ snapshot: ProgressSnapshot, _ pace: ProgressPace) -> [Part] {
    let step = snapshot.stepCount > 1 ? "step \(snapshot.step)/\(snapshot.stepCount) " : ""
    let pass = "\(step)pass \(snapshot.pass)/\(snapshot.passCount) \(snapshot.stage)"
    var parts: [Part] = [(pass, 2), (rows(snapshot), 0)]
    if let rate = pace.rowsPerSecond {
      parts.append(("\(NumberText.grouped(Int64(rate.rounded()))) rows/s", 3))
    }
    if let memory = snapshot.memory {
      parts.append((snapshot.memoryLimit.map { "\(memory) of \($0)" } ?? "\(memory)", 4))
    }
    if let remaining = pace.remaining {
      let isSure = pace.isSteady && !snapshot.isUpperBound
      parts.append(("ETA \(isSure ? "" : "~")\(NumberText.short(remaining))", 1))
    }
    return parts
  }

  private static func rows(_ snapshot: ProgressSnapshot) -> String {
    let done = NumberText.grouped(snapshot.rowsDone)
    // Policies may make more rows than a plan can know of.
    guard snapshot.rowsDone <= snapshot.rowsTotal else { return "\(done) rows" }
    let total = NumberText.grouped(snapshot.rowsTotal)
    guard !snapshot.isUpperBound else { return "\(done) of at most \(total) rows" }
    return "\(done)/\(total) rows \(NumberText.percent(snapshot.rowsDone, of: snapshot.rowsTotal))"
  }

  private static func joined(_ parts: [Part]) -> String {
    parts.map(\.text).joined(separator: "  ")
  }
}

/// Finds the name that somebody may have meant.
package enum NearestName {
  private static let longestSuggested = 48

  /// The known name that is most like a name, without regard to case, unless none is like it.
  ///
  /// - Parameters:
  ///   - name: What was written.
  ///   - known: The names that exist; the first of several that are equally near is taken.
  ///   - compared: What of a known name is compared.
  /// - Returns: The name, or `nil`.
  package static func of(
    _ name: String,
    among known: [String],
    comparing compared: (String) -> String = { $0 }
  ) -> String? {
    guard name.utf8.count <= longestSuggested else { return nil }
    let wanted = Array(name.lowercased().unicodeScalars)
    let ranked = known.map { candidate in
      (
        name: candidate,
        distance: distance(wanted, Array(compared(candidate).lowercased().unicodeScalars))
      )
    }
    guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(2, wanted.count / 3) ? best.name : nil
  }

  /// The number of letters to insert, delete or replace to turn one word into another.
  private static func distance(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar]) -> Int {
    var row = Array(0...second.count)
    for (i, letter) in first.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, other) in second.enumerated() {
        let replaced = diagonal + (letter == other ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(replaced, row[j] + 1, diagonal + 1)
      }
    }
    return row[second.count]
  }
}

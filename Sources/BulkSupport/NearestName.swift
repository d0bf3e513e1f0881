/// Suggests the name that a misspelled one was probably meant to be.
package enum NearestName {
  /// The longest name, in bytes, for which a suggestion is made; a comparison takes time in proportion to the
  /// product of the two lengths.
  private static let longestCompared = 128

  /// The nearest candidate, or `nil` if none is near: one edit for every three letters is allowed.
  ///
  /// Of several equally near candidates it is the first.
  package static func of(_ name: String, among candidates: some Sequence<String>) -> String? {
    guard name.utf8.count <= longestCompared else { return nil }
    let distances = candidates.lazy.filter { $0.utf8.count <= longestCompared }
      .map { (name: $0, distance: distance(name, $0)) }
    let nearest = distances.min { $0.distance < $1.distance }
    guard let nearest, nearest.distance <= max(1, name.count / 3) else { return nil }
    return nearest.name
  }

  /// The number of letters to insert, delete, replace or swap with their neighbor.
  package static func distance(_ first: String, _ second: String) -> Int {
    let (left, right) = (Array(first), Array(second))
    var beforePrevious: [Int] = []
    var previous = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let isSame = left[row] == right[column]
        var best = min(
          previous[column + 1] + 1,
          current[column] + 1,
          previous[column] + (isSame ? 0 : 1)
        )
        let isSwapped =
          row > 0 && column > 0 && left[row] == right[column - 1] && left[row - 1] == right[column]
        if isSwapped { best = min(best, beforePrevious[column - 1] + 1) }
        current.append(best)
      }
      (beforePrevious, previous) = (previous, current)
    }
    return previous[right.count]
  }
}

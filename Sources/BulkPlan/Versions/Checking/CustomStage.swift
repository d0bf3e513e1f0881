/// A custom stage of an app, whose code prepares the rows: the names of the versions before and after it.
package struct CustomStage: Hashable, Sendable {
  package let source: String
  package let destination: String

  package init(from source: String, to destination: String) {
    (self.source, self.destination) = (source, destination)
  }

  var names: [String] { [source, destination] }
}

typealias VersionStage = (source: LibraryVersion, destination: LibraryVersion, isCustom: Bool)

extension VersionLine {
  /// The stages from one version to a later one: one where no custom stage lies between them, otherwise each in its
  /// order.
  func stages(
    from source: LibraryVersion,
    to destination: LibraryVersion,
    by custom: [CustomStage]
  ) -> [VersionStage] {
    let (first, last) = (index(of: source), index(of: destination))
    var ends: [Int: Int] = [:]
    for stage in custom {
      guard let from = versions(named: stage.source).first.map(index),
        let to = versions(named: stage.destination).first.map(index)
      else { continue }
      ends[from] = to
    }
    guard ends.contains(where: { first <= $0.key && $0.value <= last }) else {
      return [(source, destination, false)]
    }
    var result: [VersionStage] = []
    var index = first
    while index < last {
      let end = ends[index].flatMap { $0 > index && $0 <= last ? $0 : nil }
      let next = end ?? index + 1
      result.append((versions[index], versions[next], end != nil))
      index = next
    }
    return result
  }
}

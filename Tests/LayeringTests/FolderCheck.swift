/// Tells which folders of a target depend on each other.
///
/// A folder depends on another one where a file of it names a type that a file of the other declares at
/// its top level.
struct FolderCheck {
  /// The types that every folder names of each other one, by the folder that names and the one that
  /// declares.
  private var names: [String: [String: Set<String>]] = [:]

  /// - Parameter sources: The texts of a target's files, by their path in the target.
  init(_ sources: [String: String]) {
    let texts = sources.mapValues { String(SwiftText($0).code) }
    var folders: [String: String] = [:]
    for (path, text) in texts {
      for type in Self.declared(in: text) { folders[type] = Self.folder(of: path) }
    }
    for (path, text) in texts {
      let own = Self.folder(of: path)
      for word in Self.words(in: text) {
        guard let folder = folders[word], folder != own else { continue }
        names[own, default: [:]][folder, default: []].insert(word)
      }
    }
  }

  /// The folders that depend on each other in a circle, each circle in the order of the names, with what
  /// ties it.
  var circles: [String] {
    let reached = names.keys.reduce(into: [:]) { $0[$1] = reach(from: $1) }
    var seen: Set<String> = []
    var result: [String] = []
    for folder in names.keys.sorted() where !seen.contains(folder) {
      let circle = (reached[folder] ?? []).filter { reached[$0]?.contains(folder) == true }
      guard circle.count > 1 else { continue }
      seen.formUnion(circle)
      result.append(text(of: circle))
    }
    return result
  }

  private func reach(from folder: String) -> Set<String> {
    var reached: Set<String> = []
    var open = [folder]
    while let next = open.popLast() {
      for other in (names[next] ?? [:]).keys where reached.insert(other).inserted {
        open.append(other)
      }
    }
    return reached
  }

  private func text(of circle: Set<String>) -> String {
    let ties = circle.sorted().flatMap { folder in
      (names[folder] ?? [:]).filter { circle.contains($0.key) }.sorted { $0.key < $1.key }.map {
        "\(folder) names \($0.value.sorted().joined(separator: ", ")) of \($0.key)"
      }
    }
    return ties.joined(separator: "; ")
  }

  private static func folder(of path: String) -> String {
    path.split(separator: "/").dropLast().joined(separator: "/")
  }

  private static func words(in text: String) -> Set<String> {
    Set(
      text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
        .filter { $0.first?.isUppercase == true }.map(String.init)
    )
  }

  private static func declared(in text: String) -> [String] {
    let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "actor", "typealias"]
    return text.split(separator: "\n").compactMap { line -> String? in
      guard line.first?.isLetter == true else { return nil }
      let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
      guard let kind = words.firstIndex(where: kinds.contains), kind + 1 < words.count else {
        return nil
      }
      // What stands before it are modifiers; an extension declares nothing.
      return words[..<kind].contains("extension") ? nil : String(words[kind + 1])
    }
  }
}

/// The targets under `Sources` as the text of a `Package.swift` declares them.
enum ManifestLayers {
  /// The rows of all `layer(…)`, `.systemLibrary(…)` and `.executableTarget(…)` calls, in order.
  static func rows(of manifest: String) -> [LayerDiagram.Row] {
    let text = String(SwiftText(manifest).withoutComments)
    let calls = text.matches(of: /[^\w.](layer|\.systemLibrary|\.executableTarget)\(([^()]*)/)
    return calls.compactMap { call in
      let (_, kind, arguments) = call.output
      let names = strings(in: arguments)
      guard let target = names.first else { return nil }
      let lower =
        switch kind {
        case "layer": Array(names.dropFirst())
        case ".executableTarget": dependencies(of: arguments)
        default: [String]()
        }
      return LayerDiagram.Row(target: target, lower: Set(lower))
    }
  }

  private static func dependencies(of arguments: Substring) -> [String] {
    arguments.firstMatch(of: /dependencies: \[([^\]]*)\]/).map { strings(in: $0.output.1) } ?? []
  }

  private static func strings(in text: Substring) -> [String] {
    text.matches(of: /"([^"]*)"/).map { String($0.output.1) }
  }
}

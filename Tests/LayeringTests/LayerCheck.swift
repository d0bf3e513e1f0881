/// Compares what Swift files import with a diagram of layers.
struct LayerCheck {
  /// An import, or a target, that the diagram does not have.
  struct Violation: Equatable, CustomStringConvertible {
    let file: String
    let line: Int
    let reason: String

    var description: String { "\(file):\(line): \(reason)" }
  }

  let diagram: LayerDiagram

  /// What the diagram does not allow, file by file.
  ///
  /// - Parameter files: Source texts by their path, which begins with the target's name.
  /// - Returns: Every violation with its file and line.
  func violations(in files: [String: String]) -> [Violation] {
    var violations: [Violation] = []
    var owners: [String: String] = [:]
    for (file, source) in files.sorted(by: { $0.key < $1.key }) {
      let target = String(file.prefix { $0 != "/" })
      guard let row = diagram[target] else {
        violations.append(
          Violation(file: file, line: 1, reason: "target \(target) is not in the diagram")
        )
        continue
      }
      for line in ImportLine.all(in: source) {
        let reason =
          reason(against: line.module, in: row)
          ?? owner(of: line.module, isAlso: target, &owners)
        if let reason {
          violations.append(Violation(file: file, line: line.line, reason: reason))
        }
      }
    }
    return violations
  }

  private func reason(against module: String, in row: LayerDiagram.Row) -> String? {
    if diagram.systemModules.contains(module) || row.lower.contains(module) { return nil }
    if diagram.platformModules.contains(module) {
      return row.target == diagram.platform
        ? nil : "\(row.target) imports \(module), which \(diagram.platform) stands for"
    }
    return diagram[module] == nil
      ? "\(row.target) imports \(module), which the diagram does not know"
      : "\(row.target) must not import \(module)"
  }

  /// Notes who imports a C library, and objects to a second one.
  private func owner(
    of module: String,
    isAlso target: String,
    _ owners: inout [String: String]
  ) -> String? {
    guard diagram.cLibraries.contains(module) else { return nil }
    let owner = owners[module, default: target]
    owners[module] = owner
    return owner == target ? nil : "\(target) imports \(module), which belongs to \(owner)"
  }
}

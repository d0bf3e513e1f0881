import BulkExecute

/// Passes as text.
enum PassText {
  /// What a pass took.
  static func line(_ use: PassUse, of count: Int) -> String {
    let memory = use.memory.map { ", memory \($0)" } ?? ""
    return "pass \(use.number) of \(count), \(use.name): \(NumberText.grouped(use.rows)) rows, "
      + "in \(NumberText.short(.seconds(use.seconds)))\(memory)"
  }
}

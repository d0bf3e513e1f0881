import BulkPlatform

/// Many stores: those that are named, then those of a list, one per line.
///
/// A list is read as needed; empty lines are skipped.
struct SourceList: Sequence {
  private let named: [String]
  private let lines: [Substring]?
  private let readsInput: Bool

  /// Reads the stores that a command line names.
  ///
  /// - Throws: ``Refusal`` if the list cannot be read.
  init(_ named: [String], list: String?) throws(Refusal) {
    self.named = named
    readsInput = list == "-"
    guard let list, list != "-" else {
      lines = nil
      return
    }
    guard let bytes = FileReading.all(of: list), let text = String(validating: bytes, as: UTF8.self)
    else { throw Refusal(.noInput, "the list of stores \(list) cannot be read as UTF-8 text") }
    lines = text.split(separator: "\n")
  }

  func makeIterator() -> AnyIterator<String> {
    var first = named.makeIterator()
    var rest = (lines ?? []).makeIterator()
    return AnyIterator {
      if let path = first.next() ?? rest.next().map(String.init) { return path }
      guard readsInput else { return nil }
      while let line = readLine() {
        if !line.isEmpty { return line }
      }
      return nil
    }
  }
}

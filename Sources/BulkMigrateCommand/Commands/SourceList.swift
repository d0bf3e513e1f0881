import Foundation

/// The stores of a fleet: those that options name, then those of a list, one a line.
///
/// A list is read as it is needed; empty lines are left out.
struct SourceList: Sequence {
  private let named: [String]
  private let lines: [Substring]?
  private let readsInput: Bool

  /// Reads what a command line names.
  ///
  /// - Parameters:
  ///   - named: The stores that are named themselves.
  ///   - list: A file of paths; `-` is standard input.
  /// - Throws: ``SourceListError`` if the list cannot be read.
  init(_ named: [String], list: String?) throws(SourceListError) {
    self.named = named
    readsInput = list == "-"
    guard let list, list != "-" else {
      lines = nil
      return
    }
    do {
      // A pipe has no size, so it is read to its end.
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: list))
      guard let text = String(data: try file.readToEnd() ?? Data(), encoding: .utf8) else {
        throw SourceListError(path: list)
      }
      lines = text.split(separator: "\n")
    } catch {
      throw SourceListError(path: list)
    }
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

/// That a list of stores cannot be read.
struct SourceListError: ErrorWithExitCode, Equatable, CustomStringConvertible {
  let path: String

  var exitCode: ExitCode { .noInput }

  var description: String { "the list of stores \(path) cannot be read as UTF-8 text" }
}

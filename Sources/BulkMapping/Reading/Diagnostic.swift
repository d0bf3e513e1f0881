package import BulkSupport

package struct Diagnostic: Codable, Hashable, Sendable {
  package enum Severity: String, Codable, Hashable, Sendable {
    /// The mapping cannot be executed as it is.
    case error
    /// It can be executed, but perhaps not as intended.
    case warning
  }

  package var severity: Severity
  /// The file; `nil` for a result about the mapping model alone.
  package var path: String?
  /// The line in the file, from 1, if it is known.
  package var line: Int?
  /// The column in the line, from 1, in Unicode scalars, if it is known.
  package var column: Int?
  /// The subject, such as `entity mapping NoteToNote, attribute title`; empty for the whole file.
  package var subject: String
  /// The result in words, with a remedy.
  package var reason: String

  package init(
    _ severity: Severity,
    _ subject: String,
    _ reason: String,
    in path: String? = nil,
    at position: TextPosition? = nil
  ) {
    (self.severity, self.subject, self.reason, self.path) = (severity, subject, reason, path)
    (line, column) = (position?.line, position?.column)
  }

  /// The subject and the reason, in which some results have their subject.
  var phrase: String { subject.isEmpty ? reason : "\(subject): \(reason)" }

  /// A line of compiler messages: the file, the position in it, and the text.
  private func line(_ text: String, of file: String) -> String {
    ([path ?? file] + [line, column].compactMap { $0.map(String.init) }).joined(separator: ":")
      + ": \(text)"
  }

  /// The result in one line, with the severity; a file stands for the one of a result that has none.
  package func line(of file: String) -> String { line("\(severity.rawValue): \(phrase)", of: file) }

  /// The result in one line, in a list of errors alone.
  fileprivate var errorLine: String { line(phrase, of: "") }
}

extension Diagnostic: CustomStringConvertible {
  package var description: String {
    let location = [line, column].compactMap(\.self).map { "\($0):" }.joined()
    return (location.isEmpty ? "" : location + " ") + "\(severity.rawValue): \(phrase)"
  }
}

/// Why a mapping file cannot be used.
package enum MappingError: Error, Equatable, Sendable {
  case unreadable(path: String, reason: String)
  /// The files violate their format or do not fit the models; all errors are included.
  case invalid([Diagnostic])
}

extension MappingError: CustomStringConvertible {
  private static let lineLimit = 200

  /// The errors, a line each, preceded by the file as in compiler messages.
  package var description: String {
    switch self {
    case .unreadable(let path, let reason): return "the mapping \(path) cannot be read: \(reason)"
    case .invalid(let errors):
      let lines = errors.prefix(Self.lineLimit).map(\.errorLine)
      let rest = errors.count - lines.count
      let path = errors.last?.path ?? ""
      return (lines + (rest > 0 ? ["\(path): and \(rest) faults more"] : []))
        .joined(separator: "\n")
    }
  }
}

/// A file to whose text the parts of a mapping refer.
final class MappingOrigin: Sendable {
  let path: String
  /// The content of a JSON file.
  let document: JSONDocument?

  init(_ path: String, _ document: JSONDocument? = nil) {
    (self.path, self.document) = (path, document)
  }
}

/// A position in a mapping file.
struct MappingLocation: Sendable {
  enum Position: Sendable {
    /// The offset of a byte in a JSON document.
    case byte(Int)
    /// A character of a text in a JSON document: the offset of the text, and the number of Unicode scalars
    /// before the character.
    case text(Int, scalar: Int)
    case line(Int)
    /// A file without lines, or all of it.
    case none
  }

  let origin: MappingOrigin
  let position: Position

  init(_ origin: MappingOrigin, _ position: Position = .none) {
    (self.origin, self.position) = (origin, position)
  }

  /// The position of a character of the text at this position.
  func character(_ scalar: Int) -> MappingLocation {
    guard case .byte(let offset) = position else { return self }
    return MappingLocation(origin, .text(offset, scalar: scalar))
  }

  func diagnostic(
    _ severity: Diagnostic.Severity,
    _ subject: String,
    _ reason: String
  ) -> Diagnostic {
    var result = Diagnostic(severity, subject, reason, in: origin.path)
    switch position {
    case .byte(let offset):
      let found = origin.document?.position(of: offset)
      (result.line, result.column) = (found?.line, found?.column)
    case .text(let offset, let scalar):
      let found = origin.document?.position(ofScalar: scalar, inStringAt: offset)
      (result.line, result.column) = (found?.line, found?.column)
    case .line(let number): result.line = number
    case .none: break
    }
    return result
  }

  /// The file, line and column, as messages refer to them.
  var text: String {
    let found = diagnostic(.error, "", "")
    return origin.path + [found.line, found.column].compactMap(\.self).map { ":\($0)" }.joined()
  }
}

/// Collects the results of one check of a mapping.
final class MappingReport {
  /// Counting columns in long lines takes time, and nobody reads more errors.
  private static let errorLimit = 1000

  private(set) var errors: [Diagnostic] = []
  private var known: Set<Diagnostic> = []
  /// Warnings, a sentence each.
  private(set) var warnings: [String] = []
  /// Warnings about words of the text.
  private(set) var advice: [Diagnostic] = []
  /// Whether warnings name their file.
  private let namesFiles: Bool

  init(_ errors: [Diagnostic], namingFiles: Bool) {
    namesFiles = namingFiles
    for error in errors { add(error) }
  }

  var isFull: Bool { errors.count >= Self.errorLimit }

  func add(_ error: Diagnostic) {
    if !isFull, known.insert(error).inserted { errors.append(error) }
  }

  func error(_ location: MappingLocation, _ subject: String, _ reason: String) {
    if !isFull { add(location.diagnostic(.error, subject, reason)) }
  }

  func advise(_ location: MappingLocation, _ subject: String, _ reason: String) {
    if advice.count < Self.errorLimit {
      advice.append(location.diagnostic(.warning, subject, reason))
    }
  }

  /// Adds a warning about a file; `nil` for one about the whole mapping.
  func warn(_ origin: MappingOrigin?, _ sentence: String) {
    let path = origin.flatMap { namesFiles ? "\($0.path): " : nil } ?? ""
    warnings.append(path + sentence)
  }
}

/// The text of a mapping that a check is about.
struct CheckedText {
  let report: MappingReport
  let subject: String
  /// The place of a word in the text; of the text for an empty one.
  let location: (String) -> MappingLocation

  /// Reports an error in a word of the text; an empty one stands for the whole text.
  func error(_ word: String, _ reason: String) { report.error(location(word), subject, reason) }

  /// Reports what a word of the text may mean against the intention.
  func advise(_ word: String, _ reason: String) { report.advise(location(word), subject, reason) }

  func warn(_ reason: String) { report.warn(location("").origin, "\(subject): \(reason)") }
}

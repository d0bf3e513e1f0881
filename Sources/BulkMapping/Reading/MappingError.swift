/// Why a mapping file cannot be used.
package enum MappingError: Error, Equatable, Sendable {
  /// The file does not exist or cannot be read.
  case unreadable(path: String, reason: String)
  /// The file violates its format or does not fit the models; all errors are included.
  case invalid(path: String, faults: [MappingFault])
}

extension MappingError: CustomStringConvertible {
  /// The maximum number of errors in a message.
  private static let faultLimit = 200

  /// The errors, a line each, preceded by the file as in compiler messages.
  package var description: String {
    switch self {
    case .unreadable(let path, let reason): return "the mapping \(path) cannot be read: \(reason)"
    case .invalid(let path, let faults):
      let lines = faults.prefix(Self.faultLimit).map { fault in
        let path = fault.path ?? path
        return fault.line == nil ? "\(path): \(fault)" : "\(path):\(fault)"
      }
      let rest = faults.count - lines.count
      return (lines + (rest > 0 ? ["\(path): and \(rest) faults more"] : []))
        .joined(separator: "\n")
    }
  }
}

/// An error in a mapping file.
package struct MappingFault: Hashable, Sendable, CustomStringConvertible {
  /// The line, from 1, if the format has lines.
  package let line: Int?
  /// The column in the line, from 1, in Unicode scalars, if it is known.
  package let column: Int?
  /// The subject of the error, such as `entity mapping NoteToNote, attribute title`; empty for the whole
  /// file.
  package let subject: String
  /// The error, and a remedy.
  package let reason: String
  /// The file, where several together are a mapping.
  package internal(set) var path: String?

  /// The position, the subject and the reason in one line.
  package var description: String {
    let place = [line, column].compactMap(\.self).map { "\($0):" }.joined()
    return [place, subject.isEmpty ? "" : subject + ":", reason].filter { !$0.isEmpty }
      .joined(separator: " ")
  }
}

/// A result of checking a mapping.
package struct MappingFinding: Codable, Hashable, Sendable {
  package enum Severity: String, Codable, Hashable, Sendable {
    /// The mapping cannot be executed as it is.
    case error
    /// It can be executed, but perhaps not as intended.
    case warning
  }

  /// Whether the mapping can be executed despite the finding.
  package var severity: Severity
  /// The file, where several together are a mapping.
  package var path: String?
  /// The line in the file, from 1, if it is known.
  package var line: Int?
  /// The column in the line, from 1, if it is known.
  package var column: Int?
  /// The subject, such as `entity mapping NoteToNote, attribute title`.
  package var subject: String
  /// The finding in words, with a remedy.
  package var reason: String
}

extension MappingFinding {
  init(_ fault: MappingFault, _ severity: Severity = .error) {
    self.init(
      severity: severity,
      path: fault.path,
      line: fault.line,
      column: fault.column,
      subject: fault.subject,
      reason: fault.reason
    )
  }

  package init(_ severity: Severity, _ subject: String, _ reason: String) {
    self.init(severity: severity, subject: subject, reason: reason)
  }

  /// The subject and the reason, in which some findings have their subject.
  var phrase: String { subject.isEmpty ? reason : "\(subject): \(reason)" }
}

extension MappingFinding: CustomStringConvertible {
  /// The position, the severity, the subject and the reason in one line.
  package var description: String {
    let place = ([path] + [line, column].map { $0.map(String.init) }).compactMap(\.self)
      .map { "\($0):" }.joined()
    return [place, "\(severity.rawValue):", phrase].filter { !$0.isEmpty }.joined(separator: " ")
  }
}

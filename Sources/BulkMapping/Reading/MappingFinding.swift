/// A result of checking a mapping.
public struct MappingFinding: Codable, Hashable, Sendable {
  /// The severity of a finding.
  public enum Severity: String, Codable, Hashable, Sendable {
    /// The mapping cannot be executed as it is.
    case error
    /// It can be executed, but perhaps not as intended.
    case warning
  }

  /// The severity.
  public var severity: Severity
  /// The file, where several together are a mapping.
  public var path: String?
  /// The line in the file, from 1, if it is known.
  public var line: Int?
  /// The column in the line, from 1, if it is known.
  public var column: Int?
  /// The subject, such as `entity mapping NoteToNote, attribute title`.
  public var subject: String
  /// The message.
  public var reason: String
}

extension MappingFinding {
  init(_ fault: MappingFault) {
    self.init(
      severity: .error,
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
}

extension MappingFinding: CustomStringConvertible {
  /// The position, the severity, the subject and the reason in one line.
  public var description: String {
    let place = ([path] + [line, column].map { $0.map(String.init) }).compactMap(\.self)
      .map { "\($0):" }.joined()
    let parts = [place, "\(severity.rawValue):", subject.isEmpty ? "" : subject + ":", reason]
    return parts.filter { !$0.isEmpty }.joined(separator: " ")
  }
}

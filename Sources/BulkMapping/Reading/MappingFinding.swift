/// Something that a check of a mapping found.
public struct MappingFinding: Codable, Hashable, Sendable {
  /// How much it matters.
  public enum Severity: String, Codable, Hashable, Sendable {
    /// The mapping cannot be carried out as it is.
    case error
    /// It can, but perhaps not as it is meant.
    case warning
  }

  /// How much it matters.
  public var severity: Severity
  /// The line in the file, from 1, where it has one.
  public var line: Int?
  /// The column in the line, from 1, where it has one.
  public var column: Int?
  /// What it is about, such as `entity mapping NoteToNote, attribute title`.
  public var subject: String
  /// What was found.
  public var reason: String
}

extension MappingFinding {
  init(_ fault: MappingFault) {
    self.init(
      severity: .error,
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
  /// The place, the severity, the subject and the reason in one line.
  public var description: String {
    let place = [line, column].compactMap(\.self).map { "\($0):" }.joined()
    let parts = [place, "\(severity.rawValue):", subject.isEmpty ? "" : subject + ":", reason]
    return parts.filter { !$0.isEmpty }.joined(separator: " ")
  }
}

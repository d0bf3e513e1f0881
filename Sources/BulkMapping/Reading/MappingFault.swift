/// Something that is wrong in a mapping file.
public struct MappingFault: Hashable, Sendable {
  /// The line, from 1, where the format has lines.
  public let line: Int?
  /// The column in the line, from 1, in Unicode scalars, where it is known.
  public let column: Int?
  /// What the fault is about, such as `entity mapping NoteToNote, attribute title`; empty for the
  /// file as a whole.
  public let subject: String
  /// What is wrong and what would help.
  public let reason: String
}

extension MappingFault: CustomStringConvertible {
  /// The place, the subject and the reason in one line.
  public var description: String {
    let place = [line, column].compactMap(\.self).map { "\($0):" }.joined()
    return [place, subject.isEmpty ? "" : subject + ":", reason].filter { !$0.isEmpty }
      .joined(separator: " ")
  }
}

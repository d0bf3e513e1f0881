/// Why a mapping file cannot be used.
public enum MappingError: Error, Equatable, Sendable {
  /// The file is not there, or cannot be read.
  case unreadable(path: String, reason: String)
  /// The file contradicts its format or the models: every fault at once.
  case invalid(path: String, faults: [MappingFault])
}

extension MappingError: CustomStringConvertible {
  /// How many faults are told at once.
  private static let faultLimit = 200

  /// The faults, a line each, with the file before it in the manner of compilers.
  public var description: String {
    switch self {
    case .unreadable(let path, let reason): return "the mapping \(path) cannot be read: \(reason)"
    case .invalid(let path, let faults):
      let lines = faults.prefix(Self.faultLimit).map { fault in
        fault.line == nil ? "\(path): \(fault)" : "\(path):\(fault)"
      }
      let rest = faults.count - lines.count
      return (lines + (rest > 0 ? ["\(path): and \(rest) faults more"] : []))
        .joined(separator: "\n")
    }
  }
}

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

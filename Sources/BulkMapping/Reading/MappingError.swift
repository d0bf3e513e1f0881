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

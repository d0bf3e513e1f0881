/// An error in an association table, or in a segment file that holds a part of one.
package enum AssociationError: Error, Equatable, Sendable {
  /// A source key follows a greater one.
  case unorderedSourceKey(Int64, after: Int64)
  /// A run has no keys, or keys that exceed 64 bits.
  case invalidRun(sourceKey: Int64, destinationKey: Int64, length: Int64)
  /// zstd could not allocate the memory that it needs.
  case noCompressionMemory
  /// A file is not a segment, or has another format version.
  case notASegment(path: String, reason: String)
  /// A segment is truncated.
  case truncated(path: String, length: Int, expected: Int)
  /// Bytes of a segment differ from those that were written.
  case damaged(path: String, offset: Int, reason: String)
  /// A segment is intact, but not the one that was recorded.
  case replaced(path: String, reason: String)
  /// Nobody waits for the result of a sort or a verification any more.
  case stopped
}

extension AssociationError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unorderedSourceKey(let key, let previous):
      "source key \(key) follows \(previous); source keys must ascend"
    case .invalidRun(let source, let destination, let length):
      "a run of \(length) keys cannot begin at source key \(source) and destination key \(destination)"
    case .noCompressionMemory: "zstd cannot get the memory that it needs"
    case .notASegment(let path, let reason): "\(path) is not an association segment: \(reason)"
    case .truncated(let path, let length, let expected):
      "\(path) is cut off: it has \(length) bytes, but needs \(expected)"
    case .damaged(let path, let offset, let reason):
      "\(path) is damaged at byte \(offset): \(reason)"
    case .replaced(let path, let reason):
      "\(path) is not the segment that was recorded: \(reason)"
    case .stopped: "the work was stopped"
    }
  }
}

internal import Synchronization

/// The bytes that calls of this process have moved and that are of no file of a migration: what the system reports of
/// processes, the program with its libraries, and what goes to the program's own streams.
package enum OtherBytes {
  private static let readCount = Atomic<Int64>(0)
  private static let writtenCount = Atomic<Int64>(0)

  /// The bytes that were read.
  package static var read: Int64 { readCount.load(ordering: .relaxed) }
  /// The bytes that were written.
  package static var written: Int64 { writtenCount.load(ordering: .relaxed) }

  /// Adds bytes that were read.
  package static func addRead(_ bytes: Int64) { readCount.add(bytes, ordering: .relaxed) }

  /// Adds bytes that were written.
  package static func addWritten(_ bytes: Int64) { writtenCount.add(bytes, ordering: .relaxed) }
}

public import BulkCoding

/// What a pass took.
public struct PassUse: Codable, Hashable, Sendable {
  /// The number of the pass, from 1.
  public var number: Int
  /// The name of the pass.
  public var name: String
  /// The rows that it wrote.
  public var rows: Int64 = 0
  /// The seconds that it took, in all attempts that were not killed.
  public var seconds = 0.0
  /// The most memory that the process held after one of its batches, in bytes, where the system reports it.
  public var memoryBytes: Int64?
  /// Whether all of it is done.
  public var isDone = false

  /// The most memory that the process held after one of its batches.
  public var memory: ByteCount? { memoryBytes.map { ByteCount(bytes: $0) } }
}

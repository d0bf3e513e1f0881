/// Thrown by a policy that rejects a source object, in place of making objects from it.
///
/// The migration goes on. In the end it makes nothing and tells what was rejected, or, if it leaves out what
/// breaks rules (``RejectPolicy/Action/quarantine``), keeps the source object with the reason.
public struct RejectedObject: Error, Hashable, CustomStringConvertible {
  /// The reason as a sentence.
  public let reason: String

  /// Rejects the source object.
  public init(reason: String) { self.reason = reason }

  /// The reason.
  public var description: String { reason }
}

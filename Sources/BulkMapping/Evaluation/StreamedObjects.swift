/// The objects of a to-many relationship that are not held in memory, because there are too many, or
/// because many rows share their owner: they are read again whenever an expression needs them.
package struct StreamedObjects: Hashable, Sendable {
  /// The index of the relationship, as the reader numbers them.
  package let source: Int
  /// The key of the owner.
  package let owner: Int64

  package init(source: Int, owner: Int64) {
    self.source = source
    self.owner = owner
  }
}

/// Reads streamed objects.
package struct ObjectStream {
  /// Passes the objects to a body page by page, in order, until the body returns `false`.
  ///
  /// It returns a message if the objects cannot be read.
  package typealias Reading = (
    _ objects: StreamedObjects, _ body: ([ObjectValue]) -> Bool
  ) -> String?

  /// Reads the objects.
  package let read: Reading
  /// The most objects that may be in memory for an operation that needs all of them at once.
  package let heldLimit: Int
  /// The bytes that the results of methods for one row may take.
  package let heldBytes: Int
  /// A cache of values computed from the objects of shared owners.
  let memory: FoldMemory?

  /// - Parameters:
  ///   - heldLimit: The most objects that may be in memory at once.
  ///   - heldBytes: The bytes that the results of methods for one row may take.
  ///   - memory: A cache of values computed from the objects of shared owners.
  ///   - read: Reads the objects.
  package init(
    heldLimit: Int,
    heldBytes: Int,
    memory: FoldMemory? = nil,
    read: @escaping Reading
  ) {
    self.memory = memory
    self.heldLimit = heldLimit
    self.heldBytes = heldBytes
    self.read = read
  }

  /// A stream for evaluations in which nothing is streamed.
  package static var none: ObjectStream {
    ObjectStream(heldLimit: 0, heldBytes: 1 << 20) { _, _ in nil }
  }
}

/// The objects of a to-many relationship that are not held, because they are too many, or because many rows
/// lead to their owner: they are read anew whenever an expression asks for them.
package struct StreamedObjects: Hashable, Sendable {
  /// Which relationship is read, as whoever reads it counts.
  package let source: Int
  /// The key of the owner.
  package let owner: Int64

  package init(source: Int, owner: Int64) {
    self.source = source
    self.owner = owner
  }
}

/// What reads objects that are streamed.
package struct ObjectStream {
  /// Gives the objects page by page, in their order, as long as the body wants more.
  ///
  /// It gives what keeps the objects from being read, if something does.
  package typealias Reading = (
    _ objects: StreamedObjects, _ body: ([ObjectValue]) -> Bool
  ) -> String?

  /// Reads the objects.
  package let read: Reading
  /// The most objects that an operation may hold which needs all of them at once.
  package let heldLimit: Int
  /// What was computed of the objects of owners to which many rows lead.
  let memory: FoldMemory?

  package init(heldLimit: Int, memory: FoldMemory? = nil, read: @escaping Reading) {
    self.memory = memory
    self.heldLimit = heldLimit
    self.read = read
  }

  /// Where nothing is streamed.
  package static var none: ObjectStream { ObjectStream(heldLimit: 0) { _, _ in nil } }
}

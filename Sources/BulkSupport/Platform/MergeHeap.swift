/// The next elements of sorted runs that are merged, the least one first.
///
/// Every run with elements left has one in it, together with the index of the run. The layers whose hot paths merge
/// specialize it, and so its code is visible to them.
@frozen @usableFromInline @safe
package struct MergeHeap<Element>: ~Copyable {
  @usableFromInline let heap: UnsafeMutablePointer<(element: Element, run: Int)>
  @usableFromInline let capacity: Int
  @usableFromInline var count = 0

  @inlinable
  package init(runs capacity: Int) {
    self.capacity = capacity
    unsafe heap = .allocate(capacity: capacity)
  }

  @inlinable
  deinit {
    unsafe heap.deinitialize(count: count)
    unsafe heap.deallocate()
  }

  /// With the index of its run; `nil` at the end of all runs.
  @inlinable
  package var first: (element: Element, run: Int)? { count > 0 ? unsafe heap[0] : nil }

  /// ``arrange(_:)`` must follow.
  @inlinable
  package mutating func add(_ element: Element, of run: Int) {
    precondition(count < capacity, "a heap has an element of each run")
    unsafe (heap + count).initialize(to: (element, run))
    count += 1
  }

  @inlinable
  package mutating func arrange(_ precedes: (Element, Element) -> Bool) {
    for index in stride(from: count / 2 - 1, through: 0, by: -1) { sink(index, precedes) }
  }

  /// The next element of its run follows; `nil` at the end of the run.
  @inlinable @inline(__always)
  package mutating func replaceFirst(
    with element: Element?,
    _ precedes: (Element, Element) -> Bool
  ) {
    assert(count > 0, "there is a least element")
    if let element {
      assert(unsafe !precedes(element, heap[0].element), "the elements of a run ascend")
      unsafe heap[0].element = element
    } else {
      count -= 1
      let last = unsafe (heap + count).move()
      if count > 0 { unsafe heap[0] = last }
    }
    sink(0, precedes)
  }

  /// Moves an element down until none below precedes it.
  @inlinable @inline(__always)
  func sink(_ start: Int, _ precedes: (Element, Element) -> Bool) {
    guard start < count else { return }
    let sunk = unsafe heap[start]
    var index = start
    while true {
      var child = 2 * index + 1
      guard child < count else { break }
      if child + 1 < count, unsafe precedes(heap[child + 1].element, heap[child].element) {
        child += 1
      }
      guard unsafe precedes(heap[child].element, sunk.element) else { break }
      unsafe heap[index] = heap[child]
      index = child
    }
    unsafe heap[index] = sunk
  }
}

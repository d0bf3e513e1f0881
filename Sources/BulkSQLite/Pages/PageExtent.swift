/// Neighbouring pages that are written to the file at once.
struct PageExtent: ~Copyable {
  /// The size of an extent in bytes.
  static let size = 1 << 20

  /// The number of its first page.
  private(set) var first: UInt32 = 0
  /// The pages through the last one that was put in.
  private(set) var used = 0
  private let pageSize: Int
  private let buffer: UnsafeMutableRawBufferPointer

  init(_ layout: PageLayout) {
    pageSize = layout.pageSize
    buffer = .allocate(byteCount: Self.size, alignment: 4096)
    buffer.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit { buffer.deallocate() }

  /// The pages that it has room for.
  var capacity: Int { Self.size / pageSize }

  /// The bytes of the pages in it.
  var content: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: buffer[..<(used * pageSize)])
  }

  /// Begins again, empty, with a page.
  mutating func begin(at page: UInt32) {
    buffer[..<(used * pageSize)].initializeMemory(as: UInt8.self, repeating: 0)
    (first, used) = (page, 0)
  }

  /// The place of a page; `nil` if it is not one of the extent's.
  func place(of page: UInt32) -> Int? {
    guard first > 0, page >= first else { return nil }
    let index = Int(page - first)
    return index < capacity ? index : nil
  }

  /// Puts a page in.
  mutating func put(_ bytes: UnsafeRawBufferPointer, at index: Int) {
    UnsafeMutableRawBufferPointer(rebasing: buffer[(index * pageSize)..<((index + 1) * pageSize)])
      .copyMemory(from: bytes)
    used = max(used, index + 1)
  }

  /// Copies a page out.
  func copy(_ index: Int, to target: UnsafeMutableRawBufferPointer) {
    target.copyMemory(
      from: UnsafeRawBufferPointer(
        rebasing: buffer[(index * pageSize)..<((index + 1) * pageSize)]
      )
    )
  }
}

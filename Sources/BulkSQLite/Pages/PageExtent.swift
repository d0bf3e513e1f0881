/// Neighbouring pages that are written to the file at once.
struct PageExtent {
  /// The size of an extent in bytes.
  static let size = 1 << 20

  /// The number of its first page.
  private(set) var first: UInt32 = 0
  /// The number of pages through the last one that was put in.
  private(set) var used = 0
  /// Whether each page, through the last one that fits, was put in.
  private var isPut: [Bool]
  private let pageSize: Int
  private var bytes: [UInt8]

  init(_ layout: PageLayout) {
    pageSize = layout.pageSize
    bytes = Self.room()
    isPut = Array(repeating: false, count: Self.size / layout.pageSize)
  }

  /// Bytes for the pages of an extent, which are written before they are read.
  ///
  /// Most stores fill few of them, so the others are not touched.
  private static func room() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: size) { $1 = size }
  }

  /// The pages that it has room for.
  var capacity: Int { Self.size / pageSize }

  var byteCount: Int { used * pageSize }

  /// Calls a body with the bytes of the pages in it.
  mutating func withContent(
    _ body: (UnsafeRawBufferPointer) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    clearRest()
    try bytes.span.bytes.withUnsafeBytes { bytes throws(SQLiteError) in
      try body(bytes.part(0..<byteCount))
    }
  }

  /// Begins again, empty, with a page.
  mutating func begin(at page: UInt32) {
    (first, used) = (page, 0)
    isPut = Array(repeating: false, count: capacity)
  }

  /// Clears the pages that were left out, which may hold those of an extent before.
  private mutating func clearRest() {
    for index in 0..<used where !isPut[index] {
      let start = index * pageSize
      bytes.withUnsafeMutableBytes { bytes in
        _ = bytes.part(start..<start + pageSize).initializeMemory(as: UInt8.self, repeating: 0)
      }
    }
  }

  /// Hands the bytes over; ``begin(at:)`` must follow.
  ///
  /// - Parameter spare: Bytes of another extent, which take their place; `nil` for new ones.
  /// - Returns: The bytes; the first ``byteCount`` are those of pages.
  mutating func take(replacedBy spare: consuming [UInt8]?) -> [UInt8] {
    clearRest()
    var other = spare ?? Self.room()
    swap(&bytes, &other)
    return other
  }

  /// The place of a page; `nil` if it is not one of the extent's.
  func place(of page: UInt32) -> Int? {
    guard first > 0, page >= first else { return nil }
    let index = Int(page - first)
    return index < capacity ? index : nil
  }

  mutating func put(_ page: UnsafeRawBufferPointer, at index: Int) {
    assert(
      page.count == pageSize && index < capacity,
      "an extent has room for page \(first) + \(index)"
    )
    let start = index * pageSize
    bytes.withUnsafeMutableBytes { $0.part(start..<start + pageSize).copyMemory(from: page) }
    used = max(used, index + 1)
    isPut[index] = true
  }

  /// Copies a page out; one that was not put in is empty.
  func copy(_ index: Int, to target: UnsafeMutableRawBufferPointer) {
    guard isPut[index] else {
      _ = target.initializeMemory(as: UInt8.self, repeating: 0)
      return
    }
    let start = index * pageSize
    bytes.withUnsafeBytes { target.copyMemory(from: $0.part(start..<start + pageSize)) }
  }
}

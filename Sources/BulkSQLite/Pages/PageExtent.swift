/// Neighbouring pages that are written to the file at once.
struct PageExtent {
  /// In bytes.
  static let size = 1 << 20

  private(set) var first: UInt32 = 0
  /// The number of pages through the last one that was put in.
  private(set) var used = 0
  /// Whether each page, through the last one that fits, was put in.
  private var isPut: [Bool]
  private let pageSize: Int
  private var bytes: [UInt8]

  init(_ layout: PageLayout) {
    pageSize = layout.pageSize
    bytes = Self.makeBuffer()
    isPut = Array(repeating: false, count: Self.size / layout.pageSize)
  }

  /// Bytes for the pages of an extent, which are written before they are read.
  ///
  /// Most stores fill few of them, so the others are not touched.
  private static func makeBuffer() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: size) { $1 = size }
  }

  var capacity: Int { Self.size / pageSize }
  var byteCount: Int { used * pageSize }

  mutating func withContent(
    _ body: (UnsafeRawBufferPointer) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    clearRest()
    try bytes.span.bytes.withUnsafeBytes { bytes throws(SQLiteError) in
      try body(bytes.part(0..<byteCount))
    }
  }

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

  /// Hands the bytes over, of which the first ``byteCount`` are those of pages.
  ///
  /// Spare bytes of another extent take their place. ``begin(at:)`` must follow.
  mutating func take(replacedBy spare: consuming [UInt8]?) -> [UInt8] {
    clearRest()
    var other = spare ?? Self.makeBuffer()
    swap(&bytes, &other)
    return other
  }

  func slot(of page: UInt32) -> Int? {
    guard first > 0, page >= first else { return nil }
    let index = Int(page - first)
    return index < capacity ? index : nil
  }

  mutating func put(_ page: UnsafeRawBufferPointer, at index: Int) {
    assert(
      page.count == pageSize && index < capacity,
      "an extent has space for page \(first) + \(index)"
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

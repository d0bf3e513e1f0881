/// Reads numbers and boxes of a file in memory; nothing is read beyond its end.
struct BigEndianReader {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func uint16(at place: Int) -> Int? { number(at: place, 2) }

  func uint32(at place: Int) -> Int? { number(at: place, 4) }

  /// Four letters.
  func text(at place: Int) -> String? {
    guard place >= 0, place + 4 <= bytes.count else { return nil }
    return String(decoding: bytes[place..<place + 4], as: UTF8.self)
  }

  private func number(at place: Int, _ count: Int) -> Int? {
    guard place >= 0, place <= bytes.count - count else { return nil }
    return bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
  }

  /// The content of the first box of a name (ISO/IEC 14496-12, 4.2).
  func box(_ name: String, in range: Range<Int>) -> Range<Int>? {
    var result: Range<Int>?
    eachBox(in: range) { found, content in
      if found == name, result == nil { result = content }
    }
    return result
  }

  /// Tells all boxes, as far as they are whole.
  func eachBox(in range: Range<Int>, _ body: (String, Range<Int>) -> Void) {
    var place = range.lowerBound
    while let size = uint32(at: place), let name = text(at: place + 4) {
      // A size of 0 means to the end of the file; sizes of 64 bits occur only where media data lie.
      let end = size == 0 ? range.upperBound : place + size
      guard end >= place + 8, end <= range.upperBound else { return }
      body(name, place + 8..<end)
      place = end
    }
  }
}

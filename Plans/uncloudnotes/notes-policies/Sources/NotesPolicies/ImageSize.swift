/// The size of an image in pixels, read from the head of its file.
public struct ImageSize: Equatable, Sendable {
  /// The width in pixels.
  public let width: Int
  /// The height in pixels.
  public let height: Int

  /// A size.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The size of a PNG, JPEG or HEIC image; `nil` for anything else and for damaged ones.
  public init?(ofImage bytes: [UInt8]) {
    guard let size = Self.png(bytes) ?? Self.jpeg(bytes) ?? Self.heic(bytes) else { return nil }
    self = size
  }

  /// The header chunk, which is always the first.
  ///
  /// Source: https://www.w3.org/TR/png/#11IHDR
  private static func png(_ bytes: [UInt8]) -> ImageSize? {
    let head = BigEndianReader(bytes)
    guard
      bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
      head.text(at: 12) == "IHDR", let width = head.uint32(at: 16), let height = head.uint32(at: 20)
    else { return nil }
    return ImageSize(width: width, height: height)
  }

  /// The first frame header among the segments: ITU-T T.81, B.2.2.
  private static func jpeg(_ bytes: [UInt8]) -> ImageSize? {
    let file = BigEndianReader(bytes)
    guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
    var place = 2
    while let marker = file.uint16(at: place), marker >= 0xFF00 {
      // A marker may be preceded by any number of fill bytes.
      if marker == 0xFFFF {
        place += 1
        continue
      }
      guard let length = file.uint16(at: place + 2), length >= 2 else { return nil }
      let isFrame =
        (0xFFC0...0xFFCF).contains(marker) && ![0xFFC4, 0xFFC8, 0xFFCC].contains(marker)
      if isFrame {
        guard let height = file.uint16(at: place + 5), let width = file.uint16(at: place + 7) else {
          return nil
        }
        return ImageSize(width: width, height: height)
      }
      place += 2 + length
    }
    return nil
  }

  /// The greatest of the sizes in the item properties, which is that of the whole image and not of its
  /// tiles: ISO/IEC 23008-12, 6.5.3.
  private static func heic(_ bytes: [UInt8]) -> ImageSize? {
    let file = BigEndianReader(bytes)
    guard file.text(at: 4) == "ftyp", let meta = file.box("meta", in: 0..<bytes.count) else {
      return nil
    }
    // A meta box begins with its version and flags.
    guard
      let properties = file.box("iprp", in: meta.dropFirst(4)),
      let container = file.box("ipco", in: properties)
    else { return nil }
    var largest: ImageSize?
    file.eachBox(in: container) { name, content in
      guard
        name == "ispe", let width = file.uint32(at: content.lowerBound + 4),
        let height = file.uint32(at: content.lowerBound + 8)
      else { return }
      let isLarger = largest.map { width.multipliedFullWidth(by: height) > $0.area } ?? true
      if isLarger { largest = ImageSize(width: width, height: height) }
    }
    return largest
  }

  private var area: (high: Int, low: UInt) { width.multipliedFullWidth(by: height) }
}

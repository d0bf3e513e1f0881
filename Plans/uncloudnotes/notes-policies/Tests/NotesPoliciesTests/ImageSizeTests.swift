import NotesPolicies
import Testing

/// Heads of image files, written after the standards that ``ImageSize`` names.
struct ImageSizeTests {
  private static let png: [UInt8] =
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
    + Array("IHDR".utf8) + [0, 0, 1, 0, 0, 0, 0, 7, 8, 6, 0, 0, 0]

  /// A JFIF segment, a comment after fill bytes, then a progressive frame of 640 by 480.
  private static let jpeg: [UInt8] =
    [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xFF, 0xFF, 0xFE, 0, 3, 65]
    + [0xFF, 0xC2, 0, 11, 8, 1, 0xE0, 2, 0x80, 1, 1, 0x11, 0]

  private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let size = UInt8(8 + content.count)
    return [0, 0, 0, size] + Array(name.utf8) + content
  }

  /// Tiles of 512 by 512 in a picture of 4032 by 3024.
  private static let heic: [UInt8] =
    box("ftyp", Array("heic".utf8))
    + box(
      "meta",
      [0, 0, 0, 0]
        + box(
          "iprp",
          box(
            "ipco",
            box("ispe", [0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 2, 0])
              + box("ispe", [0, 0, 0, 0, 0, 0, 0x0F, 0xC0, 0, 0, 0x0B, 0xD0])
          )
        )
    )

  @Test func `the sizes of three kinds of images are read`() {
    #expect(ImageSize(ofImage: Self.png) == ImageSize(width: 256, height: 7))
    #expect(ImageSize(ofImage: Self.jpeg) == ImageSize(width: 640, height: 480))
    #expect(ImageSize(ofImage: Self.heic) == ImageSize(width: 4032, height: 3024))
  }

  @Test(arguments: [png, jpeg, heic])
  func `an image that is cut off has no size`(image: [UInt8]) {
    for count in 0..<min(image.count, 20) {
      #expect(ImageSize(ofImage: Array(image.prefix(count))) == nil)
    }
  }

  @Test func `what is not an image has no size`() {
    #expect(ImageSize(ofImage: []) == nil)
    #expect(ImageSize(ofImage: Array("GIF89a".utf8)) == nil)
    #expect(ImageSize(ofImage: [UInt8](repeating: 0xFF, count: 1_000)) == nil)
  }
}

import BulkTestSupport
import Testing

struct BinaryPropertyListTests {
  static let value = PropertyList.dictionary([
    "a": .array([
      .boolean(true), .boolean(false), .integer(1), .integer(300), .integer(70_000),
      .integer(5_000_000_000), .integer(-2), .unsigned(9_223_372_036_854_775_813),
    ]),
    "b": .real(1.5),
    "c": .data([0, 255]),
    "d": .string("Zoë"),
    "e": .uid(3),
    "f": .date(86_400),
    "g": .string("long ascii string of more than fifteen"),
    "h": .dictionary([:]),
  ])

  /// Made with Python 3 `plistlib.dumps(…, fmt=plistlib.FMT_BINARY)`.
  static let bytes = [UInt8](
    hex: """
      62706c6973743030d80102030405060708091213141516171851615162516351645165516651675168a80a0b
      0c0d0e0f10110908100111012c120001117013000000012a05f20013fffffffffffffffe1400000000000000
      008000000000000005233ff80000000000004200ff63005a006f00eb80033340f51800000000005f10266c6f
      6e6720617363696920737472696e67206f66206d6f7265207468616e206669667465656ed008191b1d1f2123
      25272932333436393e4750616a6d74767fa80000000000000101000000000000001900000000000000000000
      0000000000a9
      """
  )

  /// A file with the given objects, of which the first is the top one.
  static func file(_ objects: [[UInt8]]) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets.append(UInt8(bytes.count))
      bytes += object
    }
    let table = UInt8(bytes.count)
    bytes += offsets + [0, 0, 0, 0, 0, 0, 1, 1]
    bytes += [0, 0, 0, 0, 0, 0, 0, UInt8(objects.count)]
    return bytes + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, table]
  }

  @Test func `every kind of value is read`() throws {
    #expect(try BinaryPropertyListReader.read(Self.bytes) == Self.value)
  }

  @Test func `a property list is written as another implementation writes it`() {
    #expect(BinaryPropertyListWriter.write(Self.value).hex == Self.bytes.hex)
  }

  @Test(arguments: [
    (PropertyList.integer(.min), "138000000000000000"),
    (.integer(255), "10ff"), (.integer(256), "110100"), (.integer(65_536), "1200010000"),
    (.integer(4_294_967_296), "130000000100000000"),
    (.uid(256), "810100"), (.null, "00"), (.string("é"), "6100e9"),
    (.real(-0.0), "238000000000000000"),
    (.data([UInt8](repeating: 1, count: 15)), "4f100f010101010101010101010101010101"),
  ])
  func `a value is written in the least width and read back`(
    value: PropertyList,
    hex: String
  ) throws {
    let bytes = BinaryPropertyListWriter.write(value)
    #expect(Array(bytes[8..<(bytes.count - 33)]).hex == hex)
    #expect(try BinaryPropertyListReader.read(bytes) == value)
  }

  @Test func `equal scalars are written once, equal texts of other code units are not`() throws {
    let composed = PropertyList.array([.string("\u{e9}"), .string("e\u{301}"), .string("\u{e9}")])
    let bytes = BinaryPropertyListWriter.write(composed)
    #expect(Array(bytes[8..<20]).hex == "a30102016100e96200650301")
    let zeros = PropertyList.array([.integer(0), .integer(0), .boolean(false)])
    #expect(Array(BinaryPropertyListWriter.write(zeros)[8..<15]).hex == "a3010102100008")
  }

  @Test func `a lone surrogate becomes a replacement character`() throws {
    #expect(
      try BinaryPropertyListReader.read(Self.file([[0x61, 0xD8, 0x00]])) == .string("\u{FFFD}")
    )
  }

  @Test func `a single-precision number is read`() throws {
    #expect(try BinaryPropertyListReader.read(Self.file([[0x22, 0x3F, 0xC0, 0, 0]])) == .real(1.5))
  }

  @Test(
    arguments: [
      ([[0xA1, 0x00]], "container at byte 8 holds itself"),
      ([[0xA1, 0x01], [0xA1, 0x00]], "container at byte 8 holds itself"),
      ([[0xA1, 0x05]], "container at byte 8 refers to object 5, which does not exist"),
      ([[0xD1, 0x01, 0x01], [0x09]], "dictionary at byte 8 has a key that is not a string"),
      ([[0xD2, 1, 1, 1, 1], [0x51, 0x61]], "dictionary at byte 8 has the key a twice"),
      (
        [[0xAF, 0x13, 0x7F, 255, 255, 255, 255, 255, 255, 255]],
        "the bytes end inside container at byte 8"
      ),
      (
        [[0x6F, 0x13, 0x7F, 255, 255, 255, 255, 255, 255, 255]],
        "the bytes end inside an object of 9223372036854775807 elements at byte 8"
      ),
      ([[0x5F, 0x09]], "object at byte 8 has a count that is not an integer"),
      ([[0x15] + [UInt8](repeating: 0, count: 32)], "object at byte 8 has the unknown marker 21"),
      ([[0x14, 1] + [UInt8](repeating: 0, count: 15)], "integer at byte 8 does not fit 64 bits"),
      ([[0x51, 0x80]], "ASCII string at byte 8 has a byte above 127"),
      ([[0x12, 0, 0]], "the bytes end inside a number at byte 8"),
    ] as [([[UInt8]], String)]
  )
  func `a file that contradicts the format is refused`(objects: [[UInt8]], fault: String) throws {
    #expect(failure { try BinaryPropertyListReader.read(Self.file(objects)) } == fault)
  }

  @Test func `arrays that share their elements in many levels are refused`() throws {
    let levels = (1...40).map { [0xA2, UInt8($0), UInt8($0)] as [UInt8] }
    #expect(throws: CodingError.self) {
      try BinaryPropertyListReader.read(Self.file(levels + [[0x09]]))
    }
    let few = (1...4).map { [0xA2, UInt8($0), UInt8($0)] as [UInt8] }
    let value = try BinaryPropertyListReader.read(Self.file(few + [[0x09]]))
    #expect(
      value.array?.first?.array?.first?.array?.first?.array == [.boolean(true), .boolean(true)]
    )
  }

  @Test func `a long text with many entries of the offset table is refused`() throws {
    func pair(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF)] }
    func file(_ count: Int) -> [UInt8] {
      var bytes = BinaryPropertyListReader.magic + [0xAF, 0x11] + pair(count)
      for index in 1...count { bytes += pair(index) }
      let text = bytes.count
      bytes += [0x5F, 0x11] + pair(4096) + [UInt8](repeating: 0x61, count: 4096)
      let table = bytes.count
      bytes += pair(8)
      for _ in 1...count { bytes += pair(text) }
      bytes += [0, 0, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 0, 0] + pair(count + 1)
      return bytes + [UInt8](repeating: 0, count: 14) + pair(table)
    }
    #expect(try BinaryPropertyListReader.read(file(200)).array?.count == 200)
    let text = failure { try BinaryPropertyListReader.read(file(10_000)) }
    #expect(text.contains("container at byte 8"))
  }

  @Test func `arrays deeper than the limit are refused`() {
    var value = PropertyList.array([])
    for _ in 1..<PropertyList.depthLimit { value = .array([value]) }
    let deepest = BinaryPropertyListWriter.write(value)
    #expect(throws: Never.self) { try BinaryPropertyListReader.read(deepest) }
    let deeper = BinaryPropertyListWriter.write(.array([value]))
    #expect(throws: CodingError.self) { try BinaryPropertyListReader.read(deeper) }
  }

  @Test(arguments: 0..<bytes.count)
  func `a file that is cut anywhere is refused`(length: Int) {
    #expect(throws: CodingError.self) {
      try BinaryPropertyListReader.read(Array(Self.bytes[..<length]))
    }
  }

  @Test(arguments: 0..<bytes.count)
  func `a file with a wrong byte gives an error or a value`(index: Int) {
    for byte in UInt8.min...UInt8.max {
      var bytes = Self.bytes
      bytes[index] = byte
      if let value = try? BinaryPropertyListReader.read(bytes) {
        #expect(BinaryPropertyListWriter.write(value).count > 0)
      }
    }
  }
}

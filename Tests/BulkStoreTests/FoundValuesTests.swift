import BulkModel
import Testing

@testable import BulkStore

/// Values by which policies search are kept as bytes that no others have.
struct FoundValuesTests {
  private static func name(_ value: AttributeValue) -> [UInt8] {
    FoundValues("A", [(name: "b", value: value)]).name
  }

  @Test func `short values are kept as they are`() {
    #expect(
      Self.name(.integer(258))
        == [0, 0, 0, 0, 0, 0, 0, 1, 65, 0, 0, 0, 0, 0, 0, 0, 1, 98, 2, 0, 0, 0, 0, 0, 0, 1, 2]
    )
  }

  /// The digest is that of `printf '\0\0\0\0\0\0\0\1A\0\0\0\0\0\0\0\1b\5\0\0\0\0\0\0\0\20sixteen letters!'`.
  @Test func `longer ones are kept as their digest`() {
    #expect(
      Self.name(.string("sixteen letters!"))
        == [
          0xA5, 0xCD, 0xA1, 0x42, 0xDD, 0x15, 0xB6, 0x64,
          0x43, 0x15, 0x9C, 0x52, 0x35, 0xBC, 0x52, 0x66,
          0x01, 0xBF, 0x85, 0x1E, 0x1B, 0x29, 0x70, 0xAD,
          0x06, 0xD0, 0x02, 0x5D, 0x37, 0x7A, 0xF9, 0x94,
        ]
    )
  }

  @Test func `values of different kinds differ`() {
    let values: [AttributeValue] = [
      .null, .boolean(false), .boolean(true), .integer(0), .integer(1), .double(0), .double(-0.0),
      .double(1), .date(0), .date(1), .string(""), .string("0"), .string("null"), .uri("0"),
      .binary([]), .binary([0]), .binary(Array("0".utf8)),
    ]
    #expect(Set(values.map(Self.name)).count == 17)
  }

  @Test func `what is not a number is found by what is not a number`() {
    #expect(Self.name(.double(.nan)) == Self.name(.double(-.nan)))
  }

  @Test func `the end of a value is not the beginning of the next`() {
    let one = FoundValues(
      "A",
      [(name: "b", value: .string("xy")), (name: "c", value: .string("z"))]
    )
    let other = FoundValues(
      "A",
      [(name: "b", value: .string("x")), (name: "c", value: .string("yz"))]
    )
    #expect(one.name != other.name)
  }
}

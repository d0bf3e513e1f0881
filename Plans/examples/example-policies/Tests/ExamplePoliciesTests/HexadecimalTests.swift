import ExamplePolicies
import Testing

struct HexadecimalTests {
  @Test func `pairs of digits are bytes`() {
    #expect(Hexadecimal.bytes(of: "") == [])
    #expect(Hexadecimal.bytes(of: "00ff7F") == [0, 255, 127])
  }

  @Test(arguments: ["0", "abc", "0x", "gg", " 00", "é", "٣٣", "-1"])
  func `what is not pairs of digits has no bytes`(text: String) {
    #expect(Hexadecimal.bytes(of: text) == nil)
  }
}

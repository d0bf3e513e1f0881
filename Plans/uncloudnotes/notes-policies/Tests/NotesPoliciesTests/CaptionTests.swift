import NotesPolicies
import Testing

struct CaptionTests {
  @Test(arguments: [0, 1, 79, 80])
  func `a short text is the caption`(count: Int) {
    let body = String(repeating: "a", count: count)
    #expect(Caption.text(of: body) == body)
  }

  @Test(arguments: [81, 500])
  func `a long text is cut after 80 units`(count: Int) {
    #expect(
      Caption.text(of: String(repeating: "a", count: count)) == String(repeating: "a", count: 80)
    )
  }

  @Test func `a character across the limit is left out`() {
    let body = String(repeating: "a", count: 79) + "😀b"
    #expect(Caption.text(of: body) == String(repeating: "a", count: 79))
  }

  @Test func `a character that ends at the limit stays`() {
    let body = String(repeating: "a", count: 78) + "😀b"
    #expect(Caption.text(of: body) == String(repeating: "a", count: 78) + "😀")
  }
}

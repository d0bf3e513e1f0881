import BulkExecute
import BulkVerify

/// The results of a verification as a JUnit report: a test for what differs, and one for each expectation.
struct JUnitReport {
  private let report: VerificationReport

  init(_ report: VerificationReport) { self.report = report }

  private static let head =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name="

  /// The file of a report.
  static func file(_ path: String) -> OwnFile {
    OwnFile(path: path, beginning: head, kind: "JUnit report")
  }

  /// Writes the document, in place of an earlier one; it has values of a store, and who may read that may read it.
  func write(to path: String, ofStore store: String) throws(MigrationError) {
    try OwnFile.write(text, to: path, ofStore: store)
  }

  /// The document, without times, so that equal results are equal files.
  var text: String {
    let expectations = report.expectations ?? []
    let failures = report.unmetCount + (report.differenceCount > 0 ? 1 : 0)
    let skipped = expectations.count { $0.isSkipped }
    let counts = "tests=\"\(expectations.count + 1)\" failures=\"\(failures)\""
    let lines =
      [
        "\(Self.head)\(Self.quoted(report.destination)) \(counts) errors=\"0\" skipped=\"\(skipped)\">"
      ]
      + Self.test("nothing differs", of: "verify \(report.level.rawValue)", differences)
      + expectations.flatMap(Self.test) + ["</testsuite>"]
    return lines.joined(separator: "\n") + "\n"
  }

  private var differences: String? {
    let count = report.differenceCount
    guard count > 0 else { return nil }
    let more = count - Int64(report.differences.count)
    return (report.sentences + (more > 0 ? ["and \(more) more"] : [])).joined(separator: "\n")
  }

  private static func test(_ name: String, of group: String, _ failure: String?) -> [String] {
    let head = "  <testcase classname=\(quoted(group)) name=\(quoted(name))"
    guard let failure else { return [head + "/>"] }
    let first = failure.split(separator: "\n").first.map(String.init) ?? failure
    return [
      head + ">", "    <failure message=\(quoted(first))>\(escaped(failure))</failure>",
      "  </testcase>",
    ]
  }

  private static func test(_ result: ExpectationResult) -> [String] {
    guard result.isSkipped else { return test(result.name, of: result.entity, result.reason) }
    return [
      "  <testcase classname=\(quoted(result.entity)) name=\(quoted(result.name))>",
      "    <skipped message=\(quoted(result.reason ?? ""))/>", "  </testcase>",
    ]
  }

  private static func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }

  /// The text with what XML does not allow escaped; control characters become U+FFFD.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n", "\t": result += "&#\(scalar.value);"
      case "\u{0}"..<" ", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

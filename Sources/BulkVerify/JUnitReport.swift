extension VerificationReport {
  /// The beginning of every JUnit report.
  package static let junitHead =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name="

  /// A JUnit report: a test for the differences, and one for each expectation, without times, so that equal results
  /// are equal files.
  package var junit: String {
    let expectations = expectations ?? []
    let failures = unmetCount + (differenceCount > 0 ? 1 : 0)
    let skipped = expectations.count { $0.isSkipped }
    let counts = "tests=\"\(expectations.count + 1)\" failures=\"\(failures)\""
    let lines =
      [
        "\(Self.junitHead)\(Self.quoted(destination)) \(counts) errors=\"0\" skipped=\"\(skipped)\">"
      ]
      + Self.test("nothing differs", of: "verify \(level.rawValue)", differenceText)
      + expectations.flatMap(Self.test) + ["</testsuite>"]
    return lines.joined(separator: "\n") + "\n"
  }

  private var differenceText: String? {
    guard differenceCount > 0 else { return nil }
    let more = differenceCount - Int64(differences.count)
    return (sentences + (more > 0 ? ["and \(more) more"] : [])).joined(separator: "\n")
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

  /// The text with characters escaped that XML does not allow; control characters become U+FFFD.
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

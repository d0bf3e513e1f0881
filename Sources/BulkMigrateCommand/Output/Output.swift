import BulkSupport
import Synchronization

struct OutputOptions: Sendable, Equatable {
  var isJSON = false
  var isQuiet = false
  var isColorless = false
  /// The amount of narration: 1 adds decisions and their reasons, 2 also every statement and every
  /// extent of pages.
  var verbosity = 0
}

/// The output of a command: results go to standard output, everything else to standard error.
///
/// Results are stable and may be read by programs; narration is for people. When standard output is closed,
/// as by `| head`, the rest of the result is dropped and the command continues: a closed pipe does not undo a
/// migration.
struct Output: Sendable {
  private final class Reader: Sendable {
    let isGone = Atomic(false)
  }

  var results: any TextStream = StandardStream.output
  var narration: any TextStream = StandardStream.error
  let environment: [String: String]
  var options = OutputOptions()
  var program = "bulkmigrate"
  private let reader = Reader()
  private static let reasonWidth = 500

  func applying(_ options: OutputOptions) -> Output {
    var output = self
    output.options = options
    return output
  }

  /// Whether nobody reads the output any more, so the rest of a long result can be skipped.
  var isUnread: Bool { reader.isGone.load(ordering: .relaxed) }

  func result(_ line: String) throws(OutputError) {
    try write(line + "\n")
  }

  func result(_ lines: [String]) throws(OutputError) {
    guard !lines.isEmpty else { return }
    try write(lines.joined(separator: "\n").withShortPaths + "\n")
  }

  func result(_ lines: [String], _ style: (String) -> TextStyle?) throws(OutputError) {
    guard isStyled(results), !isUnread else { return try result(lines) }
    let text = lines.map { line in
      let shown = line.withShortPaths.withoutControls
      return style(line)?.applied(to: shown) ?? shown
    }
    try write(cleaned: text.joined(separator: "\n") + "\n")
  }

  func json(_ value: some Encodable, as format: ResultFormat) throws {
    try result(try StableJSON.document(FormattedResult(value, as: format)))
  }

  func jsonLine(_ value: some Encodable, as format: ResultFormat) throws {
    try result(try StableJSON.line(FormattedResult(value, as: format)))
  }

  /// Writes a result: as a document with `--json`, otherwise as lines.
  @discardableResult
  func show(
    _ value: some Encodable,
    as format: ResultFormat,
    _ lines: @autoclosure () -> [String]
  ) throws -> ExitCode {
    if isJSON { try json(value, as: format) } else { try result(lines()) }
    return .done
  }

  func note(_ line: String) {
    if !options.isQuiet { narrate(line.withShortPaths.withoutControls) }
  }

  func decision(_ line: @autoclosure () -> String) {
    if reportsDecisions { narrate(line().withShortPaths.withoutControls) }
  }

  var reportsDecisions: Bool { options.verbosity > 0 }

  /// Begins to write every statement and every extent of pages, with `-vv`.
  func traceStatementsIfRequested() {
    guard options.verbosity > 1 else { return }
    WorkTrace.begin { [self] in narrate($0.withoutControls) }
  }

  func warning(_ line: String) {
    narrate("\(styled("warning:", .yellow)) \(line.withShortPaths.withoutControls)")
  }

  var asJSON: Output {
    var options = options
    options.isJSON = true
    return applying(options)
  }

  var isJSON: Bool { options.isJSON }

  /// Reports an error, line by line or as one line of JSON, and returns the exit code for the program.
  func report(_ error: any Error) -> ExitCode {
    let code = ExitCode(of: error)
    // As `Plans/schemas/error.schema.json` describes it.
    let report = Members([
      "bulkmigrate": "error/1", "exitCode": code.rawValue, "message": "\(error)",
    ])
    if isJSON, let line = try? StableJSON.line(report) {
      narrate(line)
      return code
    }
    let label = styled("\(program):", .red)
    for line in "\(error)".withShortPaths.withoutControls.split(separator: "\n") {
      // The reason of a policy may be of any length.
      narrate("\(label) \(isSeen ? String(line).truncated(to: Self.reasonWidth) : String(line))")
    }
    return code
  }

  var canRepaint: Bool {
    narration.terminalWidth != nil && environment["TERM", default: "dumb"] != "dumb"
      && options.verbosity == 0
  }

  var isSeen: Bool { narration.terminalWidth != nil }

  var isQuiet: Bool { options.isQuiet }

  private func write(_ text: String) throws(OutputError) {
    if !isUnread { try write(cleaned: text.withoutControls) }
  }

  private func write(cleaned text: String) throws(OutputError) {
    do {
      try results.write(text)
    } catch .readerGone {
      reader.isGone.store(true, ordering: .relaxed)
    }
  }

  private func narrate(_ line: String) {
    _ = try? narration.write(line + "\n")
  }

  private func styled(_ text: String, _ style: TextStyle) -> String {
    isStyled(narration) ? style.applied(to: text) : text
  }

  private func isStyled(_ stream: any TextStream) -> Bool {
    !options.isColorless && TextStyle.isSupported(on: stream, environment: environment)
  }
}

extension String {
  private static let folder = FileManager.default.currentDirectoryPath + "/"

  /// The text with the names of files in the current folder relative to it.
  var withShortPaths: String {
    guard Self.folder.count > 2, contains(Self.folder) else { return self }
    var result = ""
    var rest = self[...]
    while let range = rest.firstRange(of: Self.folder) {
      let before = rest[..<range.lowerBound]
      result += before
      // A longer path may contain this one.
      let isWhole = result.last.map { " \n\"'(=".contains($0) } ?? true
      if !isWhole { result += Self.folder }
      rest = rest[range.upperBound...]
    }
    return result + rest
  }

  /// The text with U+FFFD in place of control characters, which names and values of a store may hold and a
  /// terminal would obey; lines and tabs stay.
  fileprivate var withoutControls: String {
    guard unicodeScalars.contains(where: Self.isControl) else { return self }
    var result = UnicodeScalarView()
    for scalar in unicodeScalars { result.append(Self.isControl(scalar) ? "\u{FFFD}" : scalar) }
    return String(result)
  }

  private static func isControl(_ scalar: UnicodeScalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: false
    case 0..<0x20, 0x7F..<0xA0: true
    default: false
    }
  }
}

/// A way to make a word stand out; never the only carrier of meaning.
enum TextStyle: String, Sendable {
  case bold = "1"
  case red = "31"
  case green = "32"
  case yellow = "33"

  func applied(to text: String) -> String {
    "\u{1B}[\(rawValue)m\(text)\u{1B}[0m"
  }

  /// Whether a stream may have styles.
  ///
  /// Not if it is a file or pipe, if the user does not want them (`NO_COLOR`, see no-color.org), or if the
  /// terminal has none.
  static func isSupported(on stream: any TextStream, environment: [String: String]) -> Bool {
    stream.terminalWidth != nil && (environment["NO_COLOR"] ?? "").isEmpty
      && environment["TERM", default: "dumb"] != "dumb"
  }
}

protocol TextStream: Sendable {
  var terminalWidth: Int? { get }

  func write(_ text: String) throws(OutputError)
}

struct StandardStream: TextStream {
  static let output = StandardStream(descriptor: 1)
  static let error = StandardStream(descriptor: 2)

  private let descriptor: Int32

  var terminalWidth: Int? {
    guard Platform.isTerminal(descriptor) else { return nil }
    return Platform.terminalWidth(descriptor) ?? 80
  }

  func write(_ text: String) throws(OutputError) {
    let bytes = Array(text.utf8)
    OtherBytes.addWritten(Int64(bytes.count))
    try Platform.write(bytes, to: descriptor)
  }
}

enum OutputError: Error, Equatable {
  case readerGone
  case cannotWrite(reason: String)
}

extension OutputError: ErrorWithExitCode, CustomStringConvertible {
  var exitCode: ExitCode { .inputOutput }

  var description: String {
    switch self {
    case .readerGone: "the output is not read to its end"
    case .cannotWrite(let reason): "the output cannot be written: \(reason)"
    }
  }
}

/// A place for text: standard output, standard error, or a test's memory.
protocol TextStream: Sendable {
  /// The columns of the terminal, or `nil` if the text does not go to one.
  var terminalWidth: Int? { get }

  /// Takes the text at once and whole.
  func write(_ text: String) throws(OutputError)
}

/// A file descriptor that the process was started with.
struct StandardStream: TextStream {
  static let output = StandardStream(descriptor: 1)
  static let error = StandardStream(descriptor: 2)

  private let descriptor: Int32

  private init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  var terminalWidth: Int? {
    guard Platform.isTerminal(descriptor) else { return nil }
    return Platform.terminalWidth(descriptor) ?? 80
  }

  func write(_ text: String) throws(OutputError) {
    try Platform.write(Array(text.utf8), to: descriptor)
  }
}

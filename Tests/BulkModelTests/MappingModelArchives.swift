import BulkTestSupport

/// The archives in the attributes of a mapping model's XML.
enum MappingModelArchives {
  /// Reads those whose attributes have some names.
  static func read(_ path: String, _ isWanted: (String) -> Bool) throws -> [[UInt8]] {
    var scanner = try XMLScanner(Files.read(SharedData.path(path)))
    var archives: [[UInt8]] = []
    var (open, text) = ("", "")
    while let event = try scanner.next() {
      switch event {
      case .start(_, let attributes): (open, text) = (attributes["name"] ?? "", "")
      case .text(let more): text += more
      case .end:
        let data = Data(base64Encoded: text.filter { !$0.isWhitespace })
        if isWanted(open) { archives.append([UInt8](data ?? Data())) }
        open = ""
      }
    }
    return archives
  }
}

import BulkCoding
import BulkModel
import BulkTestSupport
import Foundation

/// The copies of models that a mapping model's source holds, in base 64.
struct EmbeddedModels {
  /// The archives by the name of their attribute, `sourcemodeldata` or `destinationmodeldata`.
  let archives: [String: [UInt8]]

  init(mapping path: String) throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: SharedData.path(path)))
    var scanner = try XMLScanner(Array(data))
    var archives: [String: [UInt8]] = [:]
    var open = ""
    var text = ""
    while let event = try scanner.next() {
      switch event {
      case .start(_, let attributes): (open, text) = (attributes["name"] ?? "", "")
      case .text(let more): text += more
      case .end where open.hasSuffix("modeldata"):
        archives[open] = Data(base64Encoded: text.filter { !$0.isWhitespace }).map { Array($0) }
        open = ""
      case .end: open = ""
      }
    }
    self.archives = archives
  }
}

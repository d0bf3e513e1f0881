import BulkExecute
import BulkPlatform
import BulkReport

/// The file of a report.
struct ReportTarget {
  private let path: String

  init(_ path: String) { self.path = path }

  /// Refuses a file that cannot be made, or that is something else, before any work is done for it.
  func refuse() throws(MigrationError) {
    let manager = FileManager.default
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard manager.fileExists(atPath: folder) else {
      throw .cannotCreate(path: path, reason: "its folder does not exist")
    }
    guard manager.isWritableFile(atPath: folder) else {
      throw .cannotCreate(path: path, reason: "nothing may be made in its folder")
    }
    guard manager.fileExists(atPath: path) else { return }
    let beginning = ReportPage.beginning.utf8
    guard
      FileReading.beginning(of: path, count: beginning.count).map({ $0.elementsEqual(beginning) })
        == true
    else {
      throw .cannotCreate(
        path: path,
        reason: "it is there already and is no report, so it is not overwritten; name another file"
      )
    }
  }

  /// Writes a report, in the place of an earlier one.
  func write(_ facts: ReportFacts) throws {
    do {
      try Data(ReportPage(facts).text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch let error as CocoaError {
      throw MigrationError.cannotCreate(path: path, reason: CocoaReason.text(of: error))
    }
  }
}

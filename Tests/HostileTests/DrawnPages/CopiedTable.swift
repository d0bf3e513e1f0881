import BulkSQLite
import BulkStore
import Foundation

/// A table of a source, possibly damaged, whose rows become those of another table: without SQL where that
/// is possible, and by SQL.
struct CopiedTable {
  /// What became of the rows.
  private enum Outcome {
    case written(Connection)
    case failed(any Error)
  }

  private let folder: String
  private let file: DrawnFile
  /// The source, whose first columns are those of an entity table.
  private let source: DrawnSource
  private let target: DrawnTable
  private let transfer: RowTransfer
  private let ranges: [ClosedRange<Int64>]
  private let threads: Int
  /// What is changed in the file of the source: places and bits.
  private let damage: [(index: Int, bits: UInt8)]

  init(_ bytes: [UInt8], in folder: String) {
    var draw = Draw(bytes)
    self.folder = folder
    file = DrawnFile(&draw)
    threads = 1 + draw.number(below: 2)
    target = DrawnTable("d", &draw)
    source = DrawnSource(&draw)
    let expressions = DrawnExpressions(source.names)
    var assignments: [RowTransfer.Assignment] = []
    for (index, column) in target.given.enumerated() {
      let value =
        index == target.keyIndex ? expressions.key(&draw) : expressions.value(&draw, depth: 3)
      assignments.append(.init(column, value))
    }
    transfer = RowTransfer(
      to: target.name,
      from: "s",
      assignments,
      where: expressions.conditions(&draw)
    )
    let middle = draw.integer()
    ranges = middle < .max ? [.min...middle, (middle + 1)...(.max)] : [.min...(.max)]
    var damage: [(index: Int, bits: UInt8)] = []
    if draw.bool() {
      for _ in 0..<draw.number(below: 12) {
        damage.append((draw.number(below: 65_536), draw.byte()))
      }
    }
    self.damage = damage
    source.draw(&draw)
  }

  /// Writes and compares.
  ///
  /// - Throws: ``Finding`` if there is a difference, or the file that was written is damaged.
  func run() throws {
    do {
      try source.make(file, folder + "/source.sqlite")
      try damageSource()
      let pages = fill("written", byPages: true)
      guard damage.isEmpty else { return try checkDamaged(pages) }
      let sql = fill("expected", byPages: false)
      switch (pages, sql) {
      case (.written(let written), .written(let expected)):
        try TableComparison(written, expected).run([target])
      case (.failed, .failed): break
      case (.failed(let error), .written): throw Finding("only SQLite succeeds: \(error)")
      // SQLite refuses rows above the limit of a value; pages hold them.
      case (.written, .failed(let error)) where "\(error)".contains("too big"): break
      case (.written, .failed(let error)): throw Finding("only SQLite fails: \(error)")
      }
    } catch {
      throw Finding("\(error)\n\(file), damage: \(damage)\n\(target.sql[0])\n\(transfer.sql)")
    }
  }

  /// What is made of a damaged source depends on where it is read; but it is a sound file.
  private func checkDamaged(_ pages: Outcome) throws {
    guard case .written(let written) = pages else { return }
    let verdict = try written.value("PRAGMA main.integrity_check")
    guard verdict == .text("ok") else { throw Finding("\(String(describing: verdict))") }
  }

  private func damageSource() throws {
    guard !damage.isEmpty else { return }
    let path = folder + "/source.sqlite"
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    defer { try? file.close() }
    var bytes = try file.readToEnd() ?? Data()
    for (index, bits) in damage { bytes[index % bytes.count] ^= bits }
    try file.seek(toOffset: 0)
    try file.write(contentsOf: bytes)
  }

  private func fill(_ name: String, byPages: Bool) -> Outcome {
    let path = folder + "/\(name).sqlite"
    do {
      do {
        let made = try file.open(path)
        for sql in target.sql.prefix(1) { try made.execute(sql) }
      }
      let session = try StoreSession(
        path: path,
        readingFrom: SourceFile(path: folder + "/source.sqlite"),
        pageSize: file.pageSize,
        caches: .init(destination: 2_048, source: 2_048, largestValue: 1 << 20),
        threads: threads
      )
      let fills = PageFills([RowFill(by: transfer)], indexes: [])
      let sink: any RowSink = byPages ? PageRowSink(session, fills) : SQLRowSink(session)
      try sink.fill(by: [transfer]) { append in
        for range in ranges { _ = try append(range) }
      }
      return .written(try Connection(path: path, access: .readWrite))
    } catch {
      return .failed(error)
    }
  }
}

internal import Foundation

/// The pages of stores with pages of 4,096 bytes, as tests damage them.
extension StoreFile {
  package func root(of table: String) throws -> Int {
    let rows = try rows("SELECT rootpage FROM sqlite_schema WHERE name = '\(table)'")
    guard case .integer(let number)? = rows.first?.first else {
      preconditionFailure("there is a table \(table)")
    }
    return Int(number)
  }

  /// The numbers of the leaves of a table, in the order of their keys; its root is the only page above them.
  package func leaves(of table: String) throws -> [Int] {
    let page = try self.page(root(of: table))
    func number(_ offset: Int) -> Int { page[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
    let count = Int(page[3]) << 8 | Int(page[4])
    return (0..<count).map { number(Int(page[12 + 2 * $0]) << 8 | Int(page[13 + 2 * $0])) }
      + [number(8)]
  }

  package func page(_ number: Int) throws -> [UInt8] {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    return [UInt8](bytes[(number - 1) * 4096..<number * 4096])
  }

  package func write(_ page: [UInt8], to number: Int) throws {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes.replaceSubrange((number - 1) * 4096..<number * 4096, with: page)
    try bytes.write(to: URL(fileURLWithPath: path))
  }
}

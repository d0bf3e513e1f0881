/// The pages of a database, with the log beside it laid over.
final class TreePages {
  /// The size of a page in bytes.
  let pageSize: Int
  /// The bytes of a page that SQLite uses.
  let usableSize: Int
  private let file: ReadOnlyFile
  /// The number of pages.
  let pageCount: Int64

  /// - Throws: ``TreeDamage`` if the file cannot be read or its header says what no database has.
  init(path: String) throws(TreeDamage) {
    do {
      file = try ReadOnlyFile(path: path)
    } catch {
      throw TreeDamage()
    }
    let header = UnsafeMutableRawBufferPointer.allocate(byteCount: 100, alignment: 8)
    defer { header.deallocate() }
    guard file.read(into: header, at: 0) == header.count else { throw TreeDamage() }
    let bytes = PageBytes(bytes: UnsafeRawBufferPointer(header))
    let stated = try bytes.number16(at: 16)
    pageSize = stated == 1 ? 65_536 : stated
    usableSize = pageSize - Int(try bytes.byte(at: 20))
    guard pageSize >= 512, pageSize.nonzeroBitCount == 1, usableSize >= 480 else {
      throw TreeDamage()
    }
    pageCount = file.size / Int64(pageSize)
  }

  /// Reads the first bytes of a page, as many as a buffer holds and at most a page.
  func read(_ page: UInt32, into buffer: UnsafeMutableRawBufferPointer) throws(TreeDamage) {
    guard page >= 1, Int64(page) <= pageCount, buffer.count <= pageSize else { throw TreeDamage() }
    let got = file.read(into: buffer, at: (Int64(page) - 1) * Int64(pageSize))
    guard got == buffer.count else { throw TreeDamage() }
  }
}

/// A page or record is not as it should be; nobody needs to know how.
struct TreeDamage: Error {}

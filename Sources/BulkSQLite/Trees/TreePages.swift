/// The pages of a database with its log applied.
final class TreePages {
  /// The size of a page in bytes.
  let pageSize: Int
  /// The usable bytes of a page.
  let usableSize: Int
  private let file: ReadOnlyFile
  /// The number of pages.
  let pageCount: Int64

  /// - Throws: ``TreeDamage`` if the file cannot be read or its header is invalid.
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

  /// The layout of the file; `nil` if its header is invalid.
  var layout: PageLayout? {
    let header = UnsafeMutableRawBufferPointer.allocate(
      byteCount: PageLayout.headerSize,
      alignment: 8
    )
    defer { header.deallocate() }
    guard file.read(into: header, at: 0) == header.count else { return nil }
    return PageLayout(header: UnsafeRawBufferPointer(header))
  }

  /// Reads the file ahead for one reader.
  func readAhead() -> ReadAhead {
    let file = file
    return ReadAhead { file.read(into: $0, at: $1) }
  }

  /// Reads the beginning of a page, up to the size of a buffer or of the page.
  func read(_ page: UInt32, into buffer: UnsafeMutableRawBufferPointer) throws(TreeDamage) {
    guard page >= 1, Int64(page) <= pageCount, buffer.count <= pageSize else { throw TreeDamage() }
    let got = file.read(into: buffer, at: (Int64(page) - 1) * Int64(pageSize))
    guard got == buffer.count else { throw TreeDamage() }
  }
}

/// A page or record is invalid; callers do not need the reason.
struct TreeDamage: Error {}

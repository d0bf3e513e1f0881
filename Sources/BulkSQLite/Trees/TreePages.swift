/// The pages of a database with its log applied.
final class TreePages {
  /// How the file is divided into pages.
  let layout: PageLayout
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
    let header = UnsafeMutableRawBufferPointer.allocate(
      byteCount: PageLayout.headerSize,
      alignment: 8
    )
    defer { header.deallocate() }
    guard file.read(into: header, at: 0) == header.count,
      let layout = PageLayout(header: UnsafeRawBufferPointer(header))
    else { throw TreeDamage() }
    self.layout = layout
    pageCount = file.size / Int64(layout.pageSize)
  }

  /// The size of a page in bytes.
  var pageSize: Int { layout.pageSize }
  /// The usable bytes of a page.
  var usableSize: Int { layout.usableSize }

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

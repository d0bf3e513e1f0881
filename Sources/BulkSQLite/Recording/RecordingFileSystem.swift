internal import CBulkSQLite

/// SQLite's standard file system (a “VFS”), which also keeps a ``PageLog`` of every database that is
/// written, and reports a full disk where the standard one does not.
///
/// The standard file system opens a file; the file then gets a separate method table: a copy of the
/// standard one with writing, truncating, syncing and closing replaced.
enum RecordingFileSystem {
  static let system = NamedFileSystem("bulkmigrate-recording") { system in
    system.xOpen = openFile
    system.xDelete = { _, path, syncsFolder in
      guard let standard = sqlite3_vfs_find(nil), let delete = standard.pointee.xDelete else {
        return SQLITE_MISUSE
      }
      let code = delete(standard, path, syncsFolder)
      return code == SQLITE_OK ? code : WritingFileSystem.failure(code)
    }
  }

  /// The method table of one open file, and the state of the replaced methods.
  private struct Methods {
    /// SQLite's own part, which must come first.
    var table: sqlite3_io_methods
    var standard: UnsafePointer<sqlite3_io_methods>
    /// `nil` for a journal.
    var log: Unmanaged<PageLog>?
    var ahead: Unmanaged<ReadAhead>?
  }

  private static let openFile:
    @convention(c) (
      UnsafeMutablePointer<sqlite3_vfs>?, UnsafePointer<CChar>?,
      UnsafeMutablePointer<sqlite3_file>?, Int32, UnsafeMutablePointer<Int32>?
    ) -> Int32 = { _, path, file, flags, outFlags in
      let code = WritingFileSystem.openFile(
        at: file,
        path: path,
        flags: flags,
        outFlags: outFlags
      )
      guard code == SQLITE_OK, flags & recordedKinds != 0, let path, let file,
        let methods = file.pointee.pMethods
      else {
        return code
      }
      var log: PageLog?
      if flags & SQLITE_OPEN_MAIN_DB != 0 {
        log = PageLog(of: String(cString: path))
        guard log != nil else {
          let code = WritingFileSystem.failure(SQLITE_CANTOPEN)
          _ = methods.pointee.xClose(file)
          file.pointee.pMethods = nil
          return code
        }
      }
      let replaced = UnsafeMutablePointer<Methods>.allocate(capacity: 1)
      replaced.initialize(
        to: Methods(
          table: table(over: methods.pointee),
          standard: methods,
          log: log.map(Unmanaged.passRetained),
          ahead: log == nil ? nil : Unmanaged.passRetained(readAhead(methods.pointee, file))
        )
      )
      file.pointee.pMethods = UnsafeRawPointer(replaced).assumingMemoryBound(
        to: sqlite3_io_methods.self
      )
      return SQLITE_OK
    }

  private static let recordedKinds =
    SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL

  private static func table(over standard: sqlite3_io_methods) -> sqlite3_io_methods {
    var table = standard
    // Memory-mapped pages would be written without these methods.
    table.iVersion = min(standard.iVersion, 2)
    table.xRead = { file, bytes, count, offset in
      guard let file, let bytes, let methods = RecordingFileSystem.methods(of: file) else {
        return SQLITE_MISUSE
      }
      let target = UnsafeMutableRawBufferPointer(start: bytes, count: Int(count))
      if let ahead = methods.pointee.ahead?.takeUnretainedValue(),
        ahead.read(into: target, at: offset) == Int(count)
      {
        return SQLITE_OK
      }
      // The standard file system reports errors, and the bytes available at the end of the file.
      return methods.pointee.standard.pointee.xRead(file, bytes, count, offset)
    }
    table.xWrite = { file, bytes, count, offset in
      RecordingFileSystem.forget(file, offset..<offset + Int64(count))
      return RecordingFileSystem.call(file, orElse: Int32(BULK_SQLITE_IOERR_WRITE)) {
        $0.xWrite(file, bytes, count, offset)
      } log: {
        $0.write(UnsafeRawBufferPointer(start: bytes, count: Int(count)), at: offset)
      }
    }
    table.xTruncate = { file, size in
      RecordingFileSystem.forget(file, size..<Int64.max)
      return RecordingFileSystem.call(file, orElse: Int32(BULK_SQLITE_IOERR_WRITE)) {
        $0.xTruncate(file, size)
      } log: {
        $0.cut(toSize: size)
      }
    }
    table.xSync = { file, flags in
      RecordingFileSystem.call(file, orElse: Int32(BULK_SQLITE_IOERR_FSYNC)) {
        $0.xSync(file, flags)
      } log: {
        $0.synchronize()
      }
    }
    table.xClose = { file in
      guard let file, let methods = RecordingFileSystem.methods(of: file) else {
        return SQLITE_MISUSE
      }
      // Writes that were never synced belong to no committed transaction.
      let code = methods.pointee.standard.pointee.xClose(file)
      methods.pointee.log?.release()
      methods.pointee.ahead?.release()
      methods.deallocate()
      return code
    }
    return table
  }

  /// Returns SQLite's code.
  static func write(
    _ pages: UnsafeRawBufferPointer,
    of pageSize: Int,
    at offset: Int64,
    to file: UnsafeMutablePointer<sqlite3_file>
  ) -> Int32 {
    forget(file, offset..<offset + Int64(pages.count))
    return call(file, orElse: Int32(BULK_SQLITE_IOERR_WRITE)) {
      $0.xWrite(file, pages.baseAddress, Int32(pages.count), offset)
    } log: { log in
      stride(from: 0, to: pages.count, by: pageSize).allSatisfy { start in
        let page = pages.part(start..<start + pageSize)
        return log.write(page, at: offset + Int64(start))
      }
    }
  }

  /// The pages were written past this file system; returns SQLite's code.
  static func record(
    _ digests: [UInt64],
    of pageSize: Int,
    at offset: Int64,
    of file: UnsafeMutablePointer<sqlite3_file>
  ) -> Int32 {
    forget(file, offset..<offset + Int64(digests.count * pageSize))
    return call(file, orElse: Int32(BULK_SQLITE_IOERR_WRITE)) { _ in
      SQLITE_OK
    } log: { log in
      digests.enumerated().allSatisfy { index, digest in
        log.record(digest, at: offset + Int64(index * pageSize), pageSize: pageSize)
      }
    }
  }

  private static func readAhead(
    _ standard: sqlite3_io_methods,
    _ file: UnsafeMutablePointer<sqlite3_file>
  ) -> ReadAhead {
    ReadAhead { target, offset in
      let code = standard.xRead(file, target.baseAddress, Int32(target.count), offset)
      return code == SQLITE_OK ? target.count : -1
    }
  }

  private static func forget(_ file: UnsafeMutablePointer<sqlite3_file>?, _ bytes: Range<Int64>) {
    file.flatMap { methods(of: $0) }?.pointee.ahead?.takeUnretainedValue().forget(bytes)
  }

  /// Returns SQLite's code, or another one if the effect cannot be recorded.
  private static func call(
    _ file: UnsafeMutablePointer<sqlite3_file>?,
    orElse code: Int32,
    standard: (sqlite3_io_methods) -> Int32,
    log: (PageLog) -> Bool
  ) -> Int32 {
    guard let file, let methods = methods(of: file) else { return SQLITE_MISUSE }
    let done = standard(methods.pointee.standard.pointee)
    guard done == SQLITE_OK else { return WritingFileSystem.failure(done) }
    guard let pages = methods.pointee.log?.takeUnretainedValue() else { return SQLITE_OK }
    return log(pages) ? SQLITE_OK : WritingFileSystem.failure(code)
  }

  private static func methods(
    of file: UnsafeMutablePointer<sqlite3_file>
  ) -> UnsafeMutablePointer<Methods>? {
    file.pointee.pMethods.map {
      UnsafeMutableRawPointer(mutating: $0).assumingMemoryBound(to: Methods.self)
    }
  }
}

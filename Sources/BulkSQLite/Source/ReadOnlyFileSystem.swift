internal import CBulkSQLite

/// A file system for SQLite (a “VFS”) that reads a database without changing any file.
///
/// SQLite has no such mode: `mode=ro` creates or changes the `-shm` file of a database in WAL mode, and
/// `immutable=1` ignores the log and shows an older state. This file system applies the committed frames of
/// the log to the file, so nothing is written, copied or locked.
enum ReadOnlyFileSystem {
  /// Sleeping, randomness, time and temporary files are left to the standard file system.
  static let system = NamedFileSystem("bulkmigrate-source") { system in
    system.szOsFile = max(Int32(MemoryLayout<OpenFile>.stride), system.szOsFile)
    system.xOpen = openFile
    system.xFullPathname = NamedFileSystem.keepPath
    system.xDelete = { _, _, _ in SQLITE_READONLY }
    system.xAccess = { _, _, _, result in
      result?.pointee = 0
      return SQLITE_OK
    }
  }

  /// Calls a body with the URI by which SQLite opens a file through this file system at once.
  static func open<Result>(
    _ source: SourceFile,
    _ body: (_ uri: String) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    let file = try source.reading()
    defer { withExtendedLifetime(file) {} }
    let handle = Int(bitPattern: Unmanaged.passUnretained(file).toOpaque())
    return try body(
      "\(FileURI.text(for: source.path))?vfs=\(system.name)&immutable=1&mode=ro&\(handleName)=\(handle)"
    )
  }

  /// The parameter of a URI with the address of the file that is read.
  private static let handleName = "handle"

  /// The file of a URI; SQLite puts the parameters behind the path.
  private static func file(_ path: UnsafePointer<CChar>) -> ReadOnlyFile? {
    UnsafeRawPointer(bitPattern: Int(sqlite3_uri_int64(path, handleName, 0)))
      .map { Unmanaged<ReadOnlyFile>.fromOpaque($0).takeUnretainedValue() }
  }

  /// The memory that SQLite allocates for an open file; it must begin with SQLite's own part.
  private struct OpenFile {
    var base: sqlite3_file
    var methods: UnsafeMutablePointer<sqlite3_io_methods>
    var file: Unmanaged<ReadOnlyFile>
    var ahead: Unmanaged<ReadAhead>
  }

  private static let openFile:
    @convention(c) (
      UnsafeMutablePointer<sqlite3_vfs>?, UnsafePointer<CChar>?,
      UnsafeMutablePointer<sqlite3_file>?, Int32, UnsafeMutablePointer<Int32>?
    ) -> Int32 = { _, path, handle, flags, outFlags in
      guard let handle else { return SQLITE_MISUSE }
      handle.pointee.pMethods = nil
      // Files without a name are temporary ones, used when SQLite's cache is full.
      guard let path else { return openTemporaryFile(handle, flags, outFlags) }
      guard flags & SQLITE_OPEN_MAIN_DB != 0, let file = ReadOnlyFileSystem.file(path) else {
        return SQLITE_CANTOPEN
      }
      let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
      methods.initialize(to: ReadOnlyFileSystem.methods())
      let open = UnsafeMutableRawPointer(handle).assumingMemoryBound(to: OpenFile.self)
      open.initialize(
        to: OpenFile(
          base: sqlite3_file(pMethods: methods),
          methods: methods,
          file: Unmanaged.passRetained(file),
          ahead: Unmanaged.passRetained(ReadAhead { file.read(into: $0, at: $1) })
        )
      )
      outFlags?.pointee = SQLITE_OPEN_READONLY
      return SQLITE_OK
    }

  private static func openTemporaryFile(
    _ handle: UnsafeMutablePointer<sqlite3_file>,
    _ flags: Int32,
    _ outFlags: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    guard let standard = sqlite3_vfs_find(nil), let open = standard.pointee.xOpen else {
      return SQLITE_CANTOPEN
    }
    return open(standard, nil, handle, flags, outFlags)
  }

  private static func methods() -> sqlite3_io_methods {
    var methods = sqlite3_io_methods()
    methods.iVersion = 1
    methods.xClose = { handle in
      ReadOnlyFileSystem.open(handle)?.pointee.ahead.release()
      ReadOnlyFileSystem.open(handle)?.pointee.file.release()
      ReadOnlyFileSystem.open(handle)?.pointee.methods.deallocate()
      return SQLITE_OK
    }
    methods.xRead = { handle, buffer, count, offset in
      guard let open = ReadOnlyFileSystem.open(handle), let buffer, count >= 0 else {
        return SQLITE_MISUSE
      }
      let target = UnsafeMutableRawBufferPointer(start: buffer, count: Int(count))
      let got = open.pointee.ahead.takeUnretainedValue().read(into: target, at: offset)
      guard got >= 0 else { return Int32(BULK_SQLITE_IOERR_READ) }
      guard got < Int(count) else { return SQLITE_OK }
      // SQLite requires the rest of the buffer to be zero.
      target.part(got..<target.count).initializeMemory(as: UInt8.self, repeating: 0)
      return Int32(BULK_SQLITE_IOERR_SHORT_READ)
    }
    methods.xFileSize = { handle, size in
      guard let open = ReadOnlyFileSystem.open(handle) else { return SQLITE_MISUSE }
      size?.pointee = open.pointee.file.takeUnretainedValue().size
      return SQLITE_OK
    }
    methods.xWrite = { _, _, _, _ in SQLITE_READONLY }
    methods.xTruncate = { _, _ in SQLITE_READONLY }
    methods.xSync = { _, _ in SQLITE_OK }
    methods.xLock = { _, _ in SQLITE_OK }
    methods.xUnlock = { _, _ in SQLITE_OK }
    methods.xCheckReservedLock = { _, result in
      result?.pointee = 0
      return SQLITE_OK
    }
    methods.xFileControl = { _, _, _ in SQLITE_NOTFOUND }
    methods.xSectorSize = { _ in 4096 }
    methods.xDeviceCharacteristics = { _ in SQLITE_IOCAP_IMMUTABLE }
    return methods
  }

  private static func open(
    _ handle: UnsafeMutablePointer<sqlite3_file>?
  ) -> UnsafeMutablePointer<OpenFile>? {
    handle.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: OpenFile.self) }
  }
}

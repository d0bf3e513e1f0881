internal import BulkSupport
internal import CBulkSQLite

/// A file system for SQLite (a “VFS”): the standard one, over which files also do what their kind asks for.
///
/// SQLite keeps the pointers it is given, so they live as long as the process.
enum DatabaseFileSystem: Int, CaseIterable {
  case plain
  /// Of databases that one process alone makes, without a journal: SQLite does not look for a journal or a log of others
  /// whenever it begins to read.
  case scratch
  /// With a ``PageLog`` of every database that is written.
  case recorded
  /// Of databases that are read without changing any file.
  ///
  /// SQLite has no such mode: `mode=ro` creates or changes the `-shm` file of a database in WAL mode, and
  /// `immutable=1` ignores the log and shows an older state. This file system applies the committed frames of the log to
  /// the file, so nothing is written, copied or locked.
  case source

  var name: String { "bulkmigrate-\(self)" }

  static func register() throws(SQLiteError) {
    guard registration == SQLITE_OK else {
      throw SQLiteError(code: registration, message: "a file system was refused", path: "SQLite")
    }
  }

  /// SQLite's code for the registration of all of them.
  private static let registration: Int32 = allCases.map { $0.register() }.max() ?? SQLITE_OK

  private func register() -> Int32 {
    guard let standard = sqlite3_vfs_find(nil) else { return SQLITE_ERROR }
    let system = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    system.initialize(to: standard.pointee)
    system.pointee.zName = UnsafePointer(strdup(name))
    system.pointee.pNext = nil
    system.pointee.pAppData = UnsafeMutableRawPointer(bitPattern: rawValue)
    system.pointee.xOpen = { system, path, file, flags, outFlags in
      guard let file, let kind = DatabaseFileSystem(system) else { return SQLITE_MISUSE }
      return kind.open(path, file, flags, outFlags)
    }
    system.pointee.xDelete = { system, path, syncsFolder in
      guard DatabaseFileSystem(system) != .source else { return SQLITE_READONLY }
      guard let standard = sqlite3_vfs_find(nil), let delete = standard.pointee.xDelete else {
        return SQLITE_MISUSE
      }
      return SQLiteFile.code { delete(standard, path, syncsFolder) }
    }
    if self == .scratch || self == .source {
      // Takes a path for the whole one, so that SQLite looks at none of its folders.
      system.pointee.xFullPathname = { _, path, capacity, result in
        guard let path, let result, strlen(path) < Int(capacity) else { return SQLITE_CANTOPEN }
        strcpy(result, path)
        return SQLITE_OK
      }
      system.pointee.xAccess = { _, _, _, result in
        result?.pointee = 0
        return SQLITE_OK
      }
    }
    return sqlite3_vfs_register(system, 0)
  }

  private init?(_ system: UnsafeMutablePointer<sqlite3_vfs>?) {
    guard let system else { return nil }
    self.init(rawValue: Int(bitPattern: system.pointee.pAppData))
  }

  private func open(
    _ path: UnsafePointer<CChar>?,
    _ file: UnsafeMutablePointer<sqlite3_file>,
    _ flags: Int32,
    _ outFlags: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    file.pointee.pMethods = nil
    // Files without a name are temporary ones, used when SQLite's cache is full.
    if self == .source, let path {
      guard flags & SQLITE_OPEN_MAIN_DB != 0, let source = SourceFile.file(path) else {
        return SQLITE_CANTOPEN
      }
      outFlags?.pointee = SQLITE_OPEN_READONLY
      SQLiteFile(reading: source).install(in: file)
      return SQLITE_OK
    }
    guard let standard = sqlite3_vfs_find(nil), let open = standard.pointee.xOpen else {
      return SQLITE_MISUSE
    }
    let code = SQLiteFile.code {
      Self.canBeMade(path, flags) ? open(standard, path, file, flags, outFlags) : SQLITE_CANTOPEN
    }
    guard code == SQLITE_OK, let methods = file.pointee.pMethods else { return code }
    do throws(SQLiteError) {
      var log: PageLog?
      if self == .recorded, flags & SQLITE_OPEN_MAIN_DB != 0, let path {
        log = try PageLog(of: String(cString: path))
      }
      SQLiteFile(file, over: methods, recordedBy: log).install(in: file)
      return SQLITE_OK
    } catch {
      _ = methods.pointee.xClose(file)
      file.pointee.pMethods = nil
      return error.code
    }
  }

  /// Creates the file where and how SQLite would: a log or journal gets the mode of its database, and its owner if
  /// possible.
  ///
  /// If a file cannot be created, the standard file system then tries to open it for reading, and the reason is lost. An
  /// existing file is not opened: closing it would release this process's locks on it.
  private static func canBeMade(_ path: UnsafePointer<CChar>?, _ flags: Int32) -> Bool {
    guard let path, flags & SQLITE_OPEN_CREATE != 0, flags & SQLITE_OPEN_EXCLUSIVE == 0 else {
      return true
    }
    let descriptor = BulkSupport.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return !SQLiteResult.isFull(errno) }
    defer { close(descriptor) }
    var status = stat()
    if let database = database(of: path, flags), stat(database, &status) == 0 {
      _ = fchmod(descriptor, status.st_mode & 0o777)
      _ = fchown(descriptor, status.st_uid, status.st_gid)
    }
    return true
  }

  private static func database(of path: UnsafePointer<CChar>, _ flags: Int32) -> String? {
    guard flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL) != 0 else { return nil }
    let text = String(cString: path)
    return text.lastIndex(of: "-").map { String(text[..<$0]) }
  }
}

/// A file that SQLite has open: its method table, and what the methods of its kind use.
struct SQLiteFile {
  /// SQLite's own part, which must come first.
  private var table: sqlite3_io_methods
  /// The methods of the standard file system; `nil` for a source.
  private var standard: UnsafePointer<sqlite3_io_methods>?
  private var source: ReadOnlyFile?
  private(set) var log: PageLog?
  private var ahead: ReadAhead?

  init(reading source: ReadOnlyFile) {
    table = Self.table
    self.source = source
    ahead = ReadAhead { source.read(into: $0, at: $1) }
    table.iVersion = 1
    table.xLock = { _, _ in SQLITE_OK }
    table.xUnlock = { _, _ in SQLITE_OK }
    table.xCheckReservedLock = { _, result in
      result?.pointee = 0
      return SQLITE_OK
    }
    table.xFileControl = { _, _, _ in SQLITE_NOTFOUND }
    table.xSectorSize = { _ in 4096 }
    table.xDeviceCharacteristics = { _ in SQLITE_IOCAP_IMMUTABLE }
    table.xFileSize = { file, size in
      guard let source = SQLiteFile.of(file)?.pointee.source else { return SQLITE_MISUSE }
      size?.pointee = source.size
      return SQLITE_OK
    }
  }

  /// A recorded file is read ahead.
  init(
    _ file: UnsafeMutablePointer<sqlite3_file>,
    over standard: UnsafePointer<sqlite3_io_methods>,
    recordedBy log: PageLog?
  ) {
    table = standard.pointee
    (self.standard, self.log) = (standard, log)
    // Memory-mapped pages would be written without these methods.
    table.iVersion = min(table.iVersion, 2)
    let own = Self.table
    (table.xRead, table.xWrite, table.xTruncate) = (own.xRead, own.xWrite, own.xTruncate)
    (table.xSync, table.xClose) = (own.xSync, own.xClose)
    guard log != nil else { return }
    ahead = ReadAhead { target, offset in
      let count = Int32(target.count)
      let code = standard.pointee.xRead(file, target.baseAddress, count, offset)
      return code == SQLITE_OK ? target.count : -1
    }
  }

  func install(in file: UnsafeMutablePointer<sqlite3_file>) {
    let methods = UnsafeMutablePointer<SQLiteFile>.allocate(capacity: 1)
    methods.initialize(to: self)
    file.pointee.pMethods = UnsafeRawPointer(methods).assumingMemoryBound(
      to: sqlite3_io_methods.self
    )
  }

  static func of(_ file: UnsafeMutablePointer<sqlite3_file>?) -> UnsafeMutablePointer<SQLiteFile>? {
    file?.pointee.pMethods.map {
      UnsafeMutableRawPointer(mutating: $0).assumingMemoryBound(to: SQLiteFile.self)
    }
  }

  private static var table: sqlite3_io_methods {
    var table = sqlite3_io_methods()
    table.xRead = { file, bytes, count, offset in
      guard let bytes, let open = SQLiteFile.of(file) else { return SQLITE_MISUSE }
      let target = UnsafeMutableRawBufferPointer(start: bytes, count: Int(count))
      let got = open.pointee.ahead?.read(into: target, at: offset) ?? -1
      if got == target.count { return SQLITE_OK }
      // The standard file system reports errors, and the bytes available at the end of the file.
      if let standard = open.pointee.standard {
        return standard.pointee.xRead(file, bytes, count, offset)
      }
      guard got >= 0 else { return Int32(BULK_SQLITE_IOERR_READ) }
      // SQLite requires the rest of the buffer to be zero.
      target.part(got..<target.count).initializeMemory(as: UInt8.self, repeating: 0)
      return Int32(BULK_SQLITE_IOERR_SHORT_READ)
    }
    table.xWrite = { file, bytes, count, offset in
      let page = UnsafeRawBufferPointer(start: bytes, count: Int(count))
      return SQLiteFile.write(page, of: page.count, at: offset, to: file)
    }
    table.xTruncate = { file, size in
      SQLiteFile.change(file, size..<Int64.max) {
        $0.xTruncate(file, size)
      } log: { log throws(SQLiteError) in
        try log.cut(toSize: size)
      }
    }
    table.xSync = { file, flags in
      SQLiteFile.change(file, 0..<0) {
        $0.xSync(file, flags)
      } log: { log throws(SQLiteError) in
        try log.synchronize()
      }
    }
    table.xClose = { file in
      guard let open = SQLiteFile.of(file) else { return SQLITE_MISUSE }
      // Writes that were never synced belong to no committed transaction.
      let code = open.pointee.standard?.pointee.xClose(file) ?? SQLITE_OK
      open.deinitialize(count: 1)
      open.deallocate()
      return code
    }
    return table
  }

  /// Writes pages, and returns SQLite's code.
  static func write(
    _ pages: UnsafeRawBufferPointer,
    of pageSize: Int,
    at offset: Int64,
    to file: UnsafeMutablePointer<sqlite3_file>?
  ) -> Int32 {
    change(file, offset..<offset + Int64(pages.count)) {
      $0.xWrite(file, pages.baseAddress, Int32(pages.count), offset)
    } log: { log throws(SQLiteError) in
      for start in stride(from: 0, to: pages.count, by: pageSize) {
        try log.write(pages.part(start..<start + pageSize), at: offset + Int64(start))
      }
    }
  }

  /// The pages were written past this file; returns SQLite's code.
  static func record(
    _ digests: [UInt64],
    of pageSize: Int,
    at offset: Int64,
    of file: UnsafeMutablePointer<sqlite3_file>
  ) -> Int32 {
    change(file, offset..<offset + Int64(digests.count * pageSize)) { _ in
      SQLITE_OK
    } log: { log throws(SQLiteError) in
      for (index, digest) in digests.enumerated() {
        try log.record(digest, at: offset + Int64(index * pageSize), pageSize: pageSize)
      }
    }
  }

  /// Changes bytes, and records that; a source refuses it.
  ///
  /// Returns SQLite's code.
  private static func change(
    _ file: UnsafeMutablePointer<sqlite3_file>?,
    _ bytes: Range<Int64>,
    standard: (sqlite3_io_methods) -> Int32,
    log: (PageLog) throws(SQLiteError) -> Void
  ) -> Int32 {
    guard let open = of(file) else { return SQLITE_MISUSE }
    guard let methods = open.pointee.standard else { return SQLITE_READONLY }
    open.pointee.ahead?.forget(bytes)
    let code = code { standard(methods.pointee) }
    guard code == SQLITE_OK, let pages = open.pointee.log else { return code }
    do throws(SQLiteError) {
      try log(pages)
      return SQLITE_OK
    } catch {
      return error.code
    }
  }

  /// The result of a call; the standard file system reports a full disk only for writes.
  static func code(_ call: () -> Int32) -> Int32 {
    // A call may fail without a system call that fails: the reason of an earlier one must not be its own.
    errno = 0
    let code = call()
    return code != SQLITE_OK && SQLiteResult.isFull(errno) ? SQLITE_FULL : code
  }
}

extension SourceFile {
  /// Calls a body with the URI by which SQLite opens the file at once, without changing it.
  func withURI<Result>(
    _ body: (_ uri: String) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    let file = try reading()
    defer { withExtendedLifetime(file) {} }
    let handle = Int(bitPattern: Unmanaged.passUnretained(file).toOpaque())
    let system = DatabaseFileSystem.source.name
    return try body(
      "\(FileURI.text(for: path))?vfs=\(system)&immutable=1&mode=ro&\(Self.handleName)=\(handle)"
    )
  }

  /// The parameter of a URI with the address of the file that is read.
  private static let handleName = "handle"

  /// The file of a URI; SQLite puts the parameters behind the path.
  fileprivate static func file(_ path: UnsafePointer<CChar>) -> ReadOnlyFile? {
    UnsafeRawPointer(bitPattern: Int(sqlite3_uri_int64(path, handleName, 0)))
      .map { Unmanaged<ReadOnlyFile>.fromOpaque($0).takeUnretainedValue() }
  }
}

/// Encodes a path as a URI for SQLite, so that no character of it has a special meaning.
enum FileURI {
  /// The URI of a path, without parameters.
  ///
  /// An absolute path follows an empty authority, so that none of its own slashes begins one. A
  /// relative path begins with a dot, so that it is neither empty nor `:memory:`, which are not files.
  static func text(for path: String) -> String {
    var result = path.utf8.first == UInt8(ascii: "/") ? "file://" : "file:./"
    for byte in path.utf8 {
      if isPlain(byte) {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16)
        result += "%" + (digits.count == 1 ? "0" : "") + digits
      }
    }
    return result
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
      UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}

package import BulkSupport
internal import BulkPlan

extension MigrationError {
  package static func writing<Value>(
    _ value: @autoclosure () throws(FileError) -> Value
  ) throws(MigrationError) -> Value {
    do throws(FileError) { return try value() } catch { throw error.asMigrationError }
  }

  /// Turns errors of files into those of a migration; other errors pass unchanged.
  static func translatingFileErrors<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as FileError { throw error.asMigrationError }
  }

  static func planning<Value>(
    _ value: @autoclosure () throws(PlanError) -> Value
  ) throws(MigrationError) -> Value {
    do throws(PlanError) { return try value() } catch { throw .plan(error) }
  }

  static func failure(_ error: any Error, at path: String) -> MigrationError {
    FileError(error)?.asMigrationError ?? .inputOutput(path: path, reason: "\(error)")
  }
}

extension FileError {
  /// The system call that failed behind an error of Foundation; `nil` if none did.
  init?(_ error: any Error) {
    switch error {
    case let error as FileError: self = error
    case let error as CocoaError:
      guard let code = Self.code(of: error), let path = error.filePath else { return nil }
      self.init(code: code, path: path)
    default: return nil
    }
  }

  private static func code(of error: CocoaError) -> Int32? {
    if let underlying = error.underlying as? POSIXError { return underlying.code.rawValue }
    return error.code == .fileWriteOutOfSpace ? ENOSPC : nil
  }

  package var asMigrationError: MigrationError {
    switch code {
    case ENOSPC, EDQUOT, EFBIG: .diskFull(path: path)
    case ENOENT: .cannotCreate(path: path, reason: "its folder does not exist")
    case EACCES, EPERM, EROFS, ENOTDIR, EISDIR, ENAMETOOLONG, EEXIST, ELOOP,
      ENXIO:
      .cannotCreate(path: path, reason: reason)
    default: .inputOutput(path: path, reason: reason)
    }
  }
}

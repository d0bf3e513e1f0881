internal import Synchronization

/// Reads bytes of open files, of pipes as well.
package enum FileReading {
  private static let partSize = 1 << 16

  /// Fewer than `count` only at the end of the file; `nil` if they cannot be read.
  package static func bytes(of descriptor: Int32, upTo count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var found = 0
    while found < count {
      // The call writes within the rest of the array.
      let part = unsafe bytes.withUnsafeMutableBytes {
        unsafe read(descriptor, $0.baseAddress?.advanced(by: found), count - found)
      }
      if part == 0 { break }
      if part > 0 {
        found += part
      } else if errno != EINTR {
        return nil
      }
    }
    bytes.removeLast(count - found)
    return bytes
  }

  /// Returns the number of bytes up to the end of the buffer or the file, -1 after an error.
  package static func fill(
    _ buffer: UnsafeMutableRawBufferPointer,
    from descriptor: Int32,
    at offset: Int64
  ) -> Int {
    var done = 0
    while done < buffer.count, let base = buffer.baseAddress {
      let filePosition = off_t(offset) + off_t(done)
      // The call writes within the rest of the buffer.
      let count = unsafe pread(descriptor, base + done, buffer.count - done, filePosition)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { return -1 }
      if count == 0 { break }
      done += count
    }
    return done
  }

  /// `nil` if they cannot be read.
  package static func rest(of descriptor: Int32) -> [UInt8]? {
    var bytes: [UInt8] = []
    while let part = self.bytes(of: descriptor, upTo: partSize) {
      bytes += part
      if part.count < partSize { return bytes }
    }
    return nil
  }

  /// Fewer than `count` only if the file has no more; `nil` if it cannot be read.
  package static func beginning(of path: String, count: Int) -> [UInt8]? {
    guard let descriptor = open(path) else { return nil }
    defer { close(descriptor) }
    return bytes(of: descriptor, upTo: count)
  }

  /// A file of `/proc`, at most its first 4 KiB; `nil` if it cannot be read.
  ///
  /// It does not count as read, see ``OtherBytes``.
  package static func system(_ path: String) -> [UInt8]? {
    let bytes = beginning(of: path, count: 4096)
    OtherBytes.addRead(Int64(bytes?.count ?? 0))
    return bytes
  }

  /// As it is now; it does not count as read either.
  package static func system(_ descriptor: Int32) -> [UInt8]? {
    // The call writes within the array, and says how much.
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
      unsafe count = max(pread(descriptor, buffer.baseAddress, buffer.count, 0), 0)
    }
    OtherBytes.addRead(Int64(bytes.count))
    return bytes.isEmpty ? nil : bytes
  }

  /// Also of a stream of the process; `nil` if they cannot be read.
  package static func all(of path: String) -> [UInt8]? {
    guard let descriptor = open(path) else { return nil }
    defer { close(descriptor) }
    return rest(of: descriptor)
  }

  /// Of a regular file only.
  package static func bytes(ofFile path: String, atMost limit: Int) throws(Fault) -> [UInt8] {
    // Without O_NONBLOCK opening a named pipe would wait. The call reads the path and does not keep it.
    let descriptor = unsafe BulkSupport.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .system(errno) }
    defer { close(descriptor) }
    var status = stat()
    // The call fills the status and does not keep it.
    guard unsafe fstat(descriptor, &status) == 0 else { throw .system(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
    guard status.st_size <= limit else { throw .tooLarge }
    guard let bytes = rest(of: descriptor) else { throw .system(errno) }
    return bytes
  }

  /// Why a file cannot be read.
  package enum Fault: Error {
    /// It is a folder, a named pipe or a device.
    case notAFile
    case tooLarge
    case system(Int32)

    /// A sentence about a file of some kind, without a full stop; the limit in bytes is the one that was given.
    package func reason(limit: Int, kind: String) -> String {
      switch self {
      case .notAFile: "it is not a file"
      case .tooLarge: "it is larger than \(limit) bytes, as no \(kind) is"
      case .system(ENOENT), .system(ENOTDIR), .system(ELOOP), .system(ENAMETOOLONG):
        "the file does not exist"
      // The text belongs to the system and is copied at once.
      case .system(let code): unsafe String(cString: strerror(code))
      }
    }
  }

  /// `nil` if the file cannot be opened, or is a named pipe, a socket or a device.
  ///
  /// Streams of the process are read under the names that the system gives them.
  package static func open(_ path: String) -> Int32? {
    let isStream = isNamedStream(path)
    // Without O_NONBLOCK opening a named pipe would wait. The call reads the path and does not keep it.
    let flags = O_RDONLY | O_CLOEXEC | (isStream ? 0 : O_NONBLOCK)
    let descriptor = unsafe BulkSupport.open(path, flags)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    // The call fills the status and does not keep it.
    let isFile =
      unsafe fstat(descriptor, &status) == 0
      && [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    guard isFile || isStream else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  package static func isNamedStream(_ path: String) -> Bool {
    ["/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/self/fd/"]
      .contains { path.hasPrefix($0) }
  }
}

/// Writes bytes to open files, and to pipes.
package enum FileWriting {
  /// Returns whether all were written; if not, `errno` says why.
  package static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var done = 0
    while done < bytes.count {
      // The call reads within the rest of the array.
      let count = unsafe bytes[done...].withUnsafeBytes {
        unsafe BulkSupport.write(descriptor, $0.baseAddress, $0.count)
      }
      if count > 0 {
        done += count
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }
}

extension stat {
  /// When the content was last written.
  package var modified: timespec {
    #if canImport(Darwin)
    st_mtimespec
    #else
    st_mtim
    #endif
  }

  /// When the content or the attributes of the file last changed.
  package var changed: timespec {
    #if canImport(Darwin)
    st_ctimespec
    #else
    st_ctim
    #endif
  }
}

/// The bytes that calls of this process have moved and that are of no file of a migration: what the system reports of
/// processes, the program with its libraries, and what goes to the program's own streams.
package enum OtherBytes {
  /// The system counts the bytes of a process, not those of a caller.
  private static let readCount = Atomic<Int64>(0)
  /// As above.
  private static let writtenCount = Atomic<Int64>(0)
  package static var read: Int64 { readCount.load(ordering: .relaxed) }
  package static var written: Int64 { writtenCount.load(ordering: .relaxed) }

  package static func addRead(_ bytes: Int64) { readCount.add(bytes, ordering: .relaxed) }

  package static func addWritten(_ bytes: Int64) { writtenCount.add(bytes, ordering: .relaxed) }
}

/// The folder of temporary files.
package enum TemporaryFiles {
  /// The folder that the environment names, as SQLite looks for it, or the system's for large files.
  ///
  /// In place of a folder that is yet to be made, as that of a run's state, it is the folder around it.
  package static var folder: String {
    let environment = SystemHost.current.environment()
    let named = ["SQLITE_TMPDIR", "TMPDIR"].compactMap { environment[$0] }.filter { !$0.isEmpty }
    let around = named.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path }
    let folders = zip(named, around).flatMap { [$0, $1] } + ["/var/tmp"]
    return folders.first { FileManager.default.isWritableFile(atPath: $0) } ?? "/tmp"
  }
}

internal import Synchronization

/// Reads bytes of files, and of pipes as well.
package enum FileReading {
  /// Fills a buffer with the bytes at an offset, or with the next ones.
  ///
  /// Returns the number of bytes up to the end of the buffer or the file, -1 after an error.
  package static func fill(
    _ buffer: UnsafeMutableRawBufferPointer,
    from descriptor: Int32,
    at offset: Int64? = nil
  ) -> Int {
    var done = 0
    while done < buffer.count, let base = buffer.baseAddress {
      let rest = buffer.count - done
      // The calls write within the rest of the buffer.
      let count =
        if let offset {
          unsafe pread(descriptor, base + done, rest, off_t(offset) + off_t(done))
        } else {
          unsafe read(descriptor, base + done, rest)
        }
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { return -1 }
      if count == 0 { break }
      done += count
    }
    return done
  }

  /// Fewer than `count` only if the file has no more; `nil` if it cannot be read.
  package static func beginning(of path: String, count: Int) -> [UInt8]? {
    try? OpenFile(reading: path).read(count)
  }

  /// Also of a stream of the process; `nil` if they cannot be read.
  package static func all(of path: String) -> [UInt8]? { try? OpenFile(reading: path).rest() }

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

  /// Of a regular file only.
  package static func bytes(ofFile path: String, atMost limit: Int) throws(Fault) -> [UInt8] {
    let fault: Fault
    do throws(FileError) {
      // Without O_NONBLOCK opening a named pipe would wait.
      let file = try OpenFile(path, O_RDONLY | O_NONBLOCK)
      let status = try file.status()
      if status.kind == S_IFREG, status.st_size <= limit { return try file.rest() }
      fault = status.kind == S_IFREG ? .tooLarge : .notAFile
    } catch {
      fault = .system(error.code)
    }
    throw fault
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

  package static func isNamedStream(_ path: String) -> Bool {
    ["/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/self/fd/"]
      .contains { path.hasPrefix($0) }
  }
}

/// Writes bytes to files, and to pipes.
package enum FileWriting {
  /// Writes bytes at an offset, or behind those that were written last; the system may take them in parts.
  ///
  /// Returns whether all were written; if not, `errno` says why.
  package static func write(
    _ bytes: UnsafeRawBufferPointer,
    to descriptor: Int32,
    at offset: Int64? = nil
  ) -> Bool {
    var done = 0
    while done < bytes.count, let base = bytes.baseAddress {
      let rest = bytes.count - done
      // The calls read within the rest of the buffer.
      let count =
        if let offset {
          unsafe pwrite(descriptor, base + done, rest, off_t(offset) + off_t(done))
        } else {
          unsafe BulkSupport.write(descriptor, base + done, rest)
        }
      if count < 0 && errno == EINTR { continue }
      if count == 0 { errno = ENOSPC }
      guard count > 0 else { return false }
      done += count
    }
    return true
  }
}

extension stat {
  /// `S_IFREG` of a file, `S_IFDIR` of a folder, `S_IFLNK` of a link, and so on.
  package var kind: mode_t { st_mode & S_IFMT }

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

internal import Foundation
#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// A folder that is held open: it stays the same folder, whatever becomes of its name.
///
/// A process that was overtaken may find another folder under the name, or none. What it does here it
/// does in the folder that it began in.
final class DurableDirectory {
  /// The name under which the folder was opened.
  let path: String
  private let descriptor: Int32

  /// Opens a folder.
  init(_ path: String) throws(FileError) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last(path) }
  }

  deinit { close(descriptor) }

  /// Whether the folder has been removed.
  var isGone: Bool {
    var status = stat()
    return fstat(descriptor, &status) != 0 || status.st_nlink == 0
  }

  /// The names of what is in the folder, in no order; none where it cannot be read.
  var names: [String] {
    // A descriptor of its own, as reading moves its place.
    let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0, let stream = fdopendir(copy) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }

  /// The bytes of a file; `nil` where it cannot be read.
  func contents(of name: String) -> Data? {
    let file = openat(descriptor, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return nil }
    return try? FileHandle(fileDescriptor: file, closeOnDealloc: true).readToEnd() ?? Data()
  }

  /// Writes a file anew and syncs it.
  func write(_ data: Data, to name: String) throws(FileError) {
    let file = openat(descriptor, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw .last("\(path)/\(name)") }
    defer { close(file) }
    try DurableFiles.write(data, to: file, named: "\(path)/\(name)")
  }

  /// Gives a finished file a name that nothing in the folder has, and syncs the folder.
  ///
  /// - Throws: ``FileError`` with `EEXIST` if something has it, with `ENOENT` if the folder is gone.
  func publish(_ draft: String, as name: String) throws(FileError) {
    if linkat(descriptor, draft, descriptor, name, 0) != 0 {
      guard DurableFiles.isWithoutLinks(errno) else { throw .last("\(path)/\(name)") }
      try claim(name)
      guard renameat(descriptor, draft, descriptor, name) == 0 else {
        throw .last("\(path)/\(name)")
      }
    }
    Failpoint.step()
    remove(draft)
    guard fsync(descriptor) == 0 else {
      let error = FileError.last(path)
      // Left there it would look like that of another attempt.
      remove(name)
      throw error
    }
    Failpoint.step()
  }

  /// Removes a file, if it is there.
  func remove(_ name: String) { unlinkat(descriptor, name, 0) }

  /// Takes a name by an empty file, on a file system without hard links.
  private func claim(_ name: String) throws(FileError) {
    let file = openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw .last("\(path)/\(name)") }
    close(file)
  }
}

/// A temporary file without a name, which is gone when this process closes it or ends.
package final class UnnamedFile: Sendable {
  /// The path by which another process of the same user opens it while it is open here.
  package let path: String
  private let descriptor: Int32

  package init(_ bytes: [UInt8]) throws(Failure) {
    let folder = TemporaryFiles.folder
    var template = Array((folder + "/bulkmigrate-XXXXXX").utf8CString)
    // The call writes the name into the array, and keeps no pointer.
    descriptor = unsafe mkstemp(&template)
    guard descriptor >= 0 else { throw Failure(folder: folder, code: errno) }
    _ = unsafe unlink(template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    path = "/proc/\(getpid())/fd/\(descriptor)"
    guard FileWriting.write(bytes, to: descriptor) else {
      let code = errno
      _ = close(descriptor)
      throw Failure(folder: folder, code: code)
    }
  }

  deinit { _ = close(descriptor) }

  /// Why a temporary file could not be made.
  package struct Failure: Error, CustomStringConvertible {
    let folder: String
    let code: Int32

    package var description: String {
      unsafe "a temporary file in \(folder) cannot be written: \(String(cString: strerror(code)))"
    }
  }
}

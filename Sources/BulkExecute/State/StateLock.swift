internal import Foundation
#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// The lock of a state directory, a file that names the process which holds it.
///
/// The system releases it when its owner ends, however it ends. What the file says is for people, and
/// tells whether the former owner is certain to be gone.
final class StateLock {
  private static let name = "lock"

  /// Who held the lock before.
  enum FormerOwner {
    /// Nobody, or one who released it in order.
    case none
    /// One who ended without releasing it.
    case ended(StateOwner)
    /// It is not known who; the lock or what it said is gone.
    case unknown
  }

  /// Who held the lock before.
  let former: FormerOwner
  private let descriptor: Int32
  private let path: String
  private var owner: StateOwner?

  /// Takes the lock of a folder; gives `nil` if another process holds it.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - hasState: Whether something in the folder can be gone on with.
  /// - Throws: ``FileError`` if there can be none.
  init?(_ folder: String, hasState: Bool) throws(FileError) {
    path = "\(folder)/\(Self.name)"
    while true {
      let isNew = !DurableFiles.exists(path)
      let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
      guard file >= 0 else { throw .last(path) }
      guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
        let isHeld = errno == EWOULDBLOCK
        let error = FileError.last(path)
        close(file)
        if isHeld { return nil }
        throw error
      }
      // The former owner may have removed the file in between.
      guard DurableFiles.isFile(file, named: path) else {
        close(file)
        continue
      }
      descriptor = file
      former = Self.former(file, isNew: isNew, hasState: hasState)
      return
    }
  }

  private static func former(_ file: Int32, isNew: Bool, hasState: Bool) -> FormerOwner {
    guard hasState else { return .none }
    if isNew {
      // Should this process end before it has copied what is there, the next one must not take it
      // for a lock that was released in order.
      _ = pwrite(file, "unknown\n", 8, 0)
      return .unknown
    }
    let data = (try? FileHandle(fileDescriptor: file, closeOnDealloc: false).readToEnd()) ?? Data()
    guard let owner = Self.owner(data) else { return .unknown }
    return owner.hasReleased ? .none : .ended(owner)
  }

  /// Who holds the lock of a folder, as far as it says so.
  static func owner(in folder: String) -> StateOwner? {
    FileManager.default.contents(atPath: "\(folder)/\(name)").flatMap(owner)
  }

  /// Whether a process holds the lock of a folder now.
  static func isHeld(in folder: String) -> Bool {
    let file = open("\(folder)/\(name)", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    return flock(file, LOCK_SH | LOCK_NB) != 0
  }

  private static func owner(_ data: Data) -> StateOwner? {
    try? JSONDecoder().decode(StateOwner.self, from: data)
  }

  /// Says who holds the lock.
  func name(_ owner: StateOwner) throws(FileError) {
    self.owner = owner
    let data = (try? Self.encoder.encode(owner)) ?? Data()
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw .last(path) }
    try DurableFiles.write(data, to: descriptor, named: path)
    guard ftruncate(descriptor, off_t(data.count)) == 0 else { throw .last(path) }
  }

  /// Releases the lock in order.
  func release() {
    if var owner {
      owner.hasReleased = true
      try? name(owner)
    }
    close(descriptor)
  }

  /// Releases the lock and leaves what it says.
  func abandon() { close(descriptor) }

  /// Removes the lock with its file.
  func remove() {
    unlink(path)
    close(descriptor)
  }

  private static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }
}

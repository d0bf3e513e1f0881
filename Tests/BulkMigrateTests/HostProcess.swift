import CBulkSQLite
import Dispatch
import Foundation

/// The settings of this process that its program chooses and a library leaves alone.
struct HostProcess {
  let environment = ProcessInfo.processInfo.environment.sorted { $0.key < $1.key }
  let directory = FileManager.default.currentDirectoryPath
  let locale = setlocale(LC_ALL, nil).map { String(cString: $0) }
  let limits = try? String(contentsOfFile: "/proc/self/limits", encoding: .utf8)
  /// The mask of the modes of new files.
  let fileMask = HostProcess.status("Umask:")
  let signalActions = (1...64).map(HostProcess.action)
  let threads = HostProcess.threadAttributes()
  let adaptsHeap = Heap.adapts
  let sqlite = SQLiteSettings()

  /// The names of the settings that differ.
  func changes(since before: HostProcess) -> [String] {
    zip(Mirror(reflecting: before).children, Mirror(reflecting: self).children)
      .filter { "\($0.value)" != "\($1.value)" }.compactMap(\.0.label)
  }

  private static func status(_ key: String) -> String? {
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    return text.split(separator: "\n").first { $0.hasPrefix(key) }.map(String.init)
  }

  /// The handler and the flags of a signal; empty for those of the C library's own.
  private static func action(_ signal: Int) -> [Int] {
    var action = sigaction()
    guard sigaction(Int32(signal), nil, &action) == 0 else { return [] }
    let handler = withUnsafeBytes(of: action.__sigaction_handler) { $0.load(as: Int.self) }
    return [handler, Int(action.sa_flags)]
  }

  /// The stack and the guard in bytes of threads that are begun without attributes.
  private static func threadAttributes() -> [Int] {
    typealias Call = @convention(c) (UnsafeMutablePointer<pthread_attr_t>) -> Int32
    guard let symbol = dlsym(nil, "pthread_getattr_default_np") else { return [] }
    let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
    defer { attributes.deallocate() }
    guard unsafeBitCast(symbol, to: Call.self)(attributes) == 0 else { return [] }
    defer { pthread_attr_destroy(attributes) }
    var (stack, guardSize) = (0, 0)
    pthread_attr_getstacksize(attributes, &stack)
    pthread_attr_getguardsize(attributes, &guardSize)
    return [stack, guardSize]
  }
}

/// What SQLite reports about the settings of a process.
struct SQLiteSettings {
  /// Whether SQLite counts its memory.
  let countsMemory: Bool
  let softLimit = sqlite3_soft_heap_limit64(-1)
  let hardLimit = sqlite3_hard_heap_limit64(-1)
  let temporaryFolder = SQLiteSettings.text("sqlite3_temp_directory")
  /// The name of the file system of connections that name none.
  let fileSystem = sqlite3_vfs_find(nil).map { String(cString: $0.pointee.zName) }
  /// The names of the others that connections may have, but for those of the library.
  let otherFileSystems = SQLiteSettings.fileSystems.filter { !$0.hasPrefix("bulkmigrate-") }

  init() {
    let memory = sqlite3_malloc(1000)
    countsMemory = sqlite3_memory_used() > 0
    sqlite3_free(memory)
  }

  /// The names of all registered file systems, in order.
  static var fileSystems: [String] {
    var names: [String] = []
    var next = sqlite3_vfs_find(nil)
    while let system = next {
      names.append(String(cString: system.pointee.zName))
      next = system.pointee.pNext
    }
    return names.sorted()
  }

  /// The text of a variable that SQLite exports; `nil` if it is not set.
  private static func text(_ variable: String) -> String? {
    dlsym(nil, variable)?.load(as: UnsafePointer<CChar>?.self).map { String(cString: $0) }
  }
}

/// The settings of glibc's allocator, which has no call that reads them: they show in its blocks, whose
/// headers say where the memory comes from (`malloc.c`, “chunk”).
enum Heap {
  private static let isMapped: UInt = 2
  private static let isOutsideMainArena: UInt = 4

  /// Whether the size from which blocks are mapped grows with what is freed; any threshold that is set ends that.
  static var adapts: Bool {
    guard let first = malloc(24 << 20) else { return false }
    free(first)
    guard let second = malloc(20 << 20) else { return false }
    defer { free(second) }
    return header(of: second) & isMapped == 0
  }

  /// How many of some threads that live at the same time have an arena apart from the first thread's.
  static func arenas(ofThreads count: Int) -> Int {
    let all = DispatchGroup()
    let results = (0..<count).map { _ in ArenaProbe() }
    for result in results {
      all.enter()
      Thread.detachNewThread {
        result.run()
        all.leave()
        result.hold.wait()
      }
    }
    all.wait()
    defer { results.forEach { $0.hold.signal() } }
    return results.filter { $0.header & isOutsideMainArena != 0 }.count
  }

  fileprivate static func header(of block: UnsafeMutableRawPointer) -> UInt {
    block.load(fromByteOffset: -MemoryLayout<UInt>.size, as: UInt.self)
  }
}

/// The header of a block of a thread that is kept until it is released.
private final class ArenaProbe: @unchecked Sendable {
  let hold = DispatchSemaphore(value: 0)
  private(set) var header: UInt = 0

  func run() {
    // More than a thread caches of what others have freed.
    guard let block = malloc(4_000) else { return }
    header = Heap.header(of: block)
    free(block)
  }
}

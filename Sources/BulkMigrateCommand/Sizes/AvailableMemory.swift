import BulkCoding

import BulkPlatform

/// The memory that this process can have before allocation fails or it is killed.
enum AvailableMemory {
  /// The smaller of the machine's memory and the limits of the process's control groups, by `proc` and `sys` in a
  /// root.
  static func detected(
    root: String = "",
    machine: ByteCount = ByteCount(bytes: Int64(SystemHost.current.memory()))
  ) -> ByteCount {
    let groups = (text(atPath: "\(root)/proc/self/cgroup") ?? "").split(separator: "\n")
    return min(groups.flatMap { limits(ofGroup: $0, root: root) }.min() ?? machine, machine)
  }

  /// The limits of one line of `/proc/self/cgroup`, `<number>:<controllers>:<path>`.
  ///
  /// Version 2 has one line without controllers, version 1 has one for the memory controller.
  /// Limits of ancestors apply too, and in a container the path may be that of the host, whose root
  /// alone is visible; therefore every folder up to the root is read.
  private static func limits(ofGroup line: Substring, root: String) -> [ByteCount] {
    let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3 else { return [] }
    let (folder, file): (String, String)
    if parts[1].isEmpty {
      (folder, file) = ("\(root)/sys/fs/cgroup", "memory.max")
    } else if parts[1].split(separator: ",").contains("memory") {
      (folder, file) = ("\(root)/sys/fs/cgroup/memory", "memory.limit_in_bytes")
    } else {
      return []
    }
    let names = parts[2].split(separator: "/")
    return (0...names.count).compactMap { depth in
      let path = ([folder] + names.prefix(depth).map(String.init) + [file]).joined(separator: "/")
      // No limit is the word max in version 2, and a number beyond any machine's memory in version 1.
      return text(atPath: path).flatMap { Int64($0) }.map(ByteCount.init(bytes:))
    }
  }

  private static func text(atPath path: String) -> String? {
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    let text = String(decoding: data, as: UTF8.self)
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }
}

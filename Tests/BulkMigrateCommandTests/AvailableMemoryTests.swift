import BulkCoding
import Foundation
import Testing

@testable import BulkMigrateCommand

@Suite("Available memory")
struct AvailableMemoryTests {
  private let machine = ByteCount.gibibytes(16)

  @Test func `a version 2 control group's limit counts`() throws {
    let memory = try detected([
      "proc/self/cgroup": "0::/app.slice/job\n",
      "sys/fs/cgroup/app.slice/job/memory.max": "1073741824\n",
    ])
    #expect(memory == .gibibytes(1))
  }

  @Test func `a smaller limit higher up counts`() throws {
    let memory = try detected([
      "proc/self/cgroup": "0::/app.slice/job\n",
      "sys/fs/cgroup/app.slice/job/memory.max": "max\n",
      "sys/fs/cgroup/app.slice/memory.max": "536870912\n",
    ])
    #expect(memory == .mebibytes(512))
  }

  @Test func `the root's limit counts in a container that shows the host's path`() throws {
    let memory = try detected([
      "proc/self/cgroup": "0::/docker/0123456789abcdef\n",
      "sys/fs/cgroup/memory.max": "268435456\n",
    ])
    #expect(memory == .mebibytes(256))
  }

  @Test func `a version 1 limit counts`() throws {
    let memory = try detected([
      "proc/self/cgroup": "5:cpu,cpuacct:/job\n4:memory:/job\n",
      "sys/fs/cgroup/memory/job/memory.limit_in_bytes": "2147483648\n",
    ])
    #expect(memory == .gibibytes(2))
  }

  @Test func `a version 1 group without a limit leaves the machine's memory`() throws {
    let memory = try detected([
      "proc/self/cgroup": "4:memory:/job\n",
      "sys/fs/cgroup/memory/job/memory.limit_in_bytes": "9223372036854771712\n",
    ])
    #expect(memory == .gibibytes(16))
  }

  @Test func `a system without control groups leaves the machine's memory`() throws {
    #expect(try detected([:]) == .gibibytes(16))
  }

  private func detected(_ files: [String: String]) throws -> ByteCount {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: root) }
    for (path, text) in files {
      let file = root.appendingPathComponent(path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try Data(text.utf8).write(to: file)
    }
    return AvailableMemory.detected(root: root.path, machine: machine)
  }
}

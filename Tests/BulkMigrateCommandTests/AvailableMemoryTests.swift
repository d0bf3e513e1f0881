import BulkTestSupport
import Testing

@testable import BulkMigrateCommand

struct AvailableMemoryTests {
  private static let job = ["proc/self/cgroup": "0::/app.slice/job\n"]
  private static let oldJob = ["proc/self/cgroup": "5:cpu,cpuacct:/job\n4:memory:/job\n"]
  private static let oldLimit = "sys/fs/cgroup/memory/job/memory.limit_in_bytes"

  /// The machine has 16 GiB.
  @Test(
    arguments: [
      // A control group of version 2, a smaller limit higher up, and the root in a container that shows the host's path.
      (job, ["sys/fs/cgroup/app.slice/job/memory.max": "1073741824\n"], 1_024),
      (
        job,
        [
          "sys/fs/cgroup/app.slice/job/memory.max": "max\n",
          "sys/fs/cgroup/app.slice/memory.max": "536870912\n",
        ], 512
      ),
      (
        ["proc/self/cgroup": "0::/docker/0123456789abcdef\n"],
        ["sys/fs/cgroup/memory.max": "268435456\n"], 256
      ),
      // Version 1, with a limit and without.
      (oldJob, [oldLimit: "2147483648\n"], 2_048),
      (oldJob, [oldLimit: "9223372036854771712\n"], 16_384),
      ([:], [:], 16_384),
    ] as [([String: String], [String: String], Int64)]
  )
  func `the least limit of the control groups counts, otherwise the machine's memory`(
    group: [String: String],
    limits: [String: String],
    mebibytes: Int64
  ) throws {
    let directory = TemporaryDirectory()
    for (path, text) in group.merging(limits, uniquingKeysWith: { $1 }) {
      _ = try directory.folder(path.split(separator: "/").dropLast().joined(separator: "/"))
      try Files.write(Array(text.utf8), to: directory.path(path))
    }
    let memory = AvailableMemory.detected(root: directory.path, machine: .gibibytes(16))
    #expect(memory == .mebibytes(mebibytes))
  }
}

import CFuzzer
import Foundation

// usage: Fuzz seeds FOLDER MODEL    or: FUZZ_TARGET=plist Fuzz [options of libFuzzer] CORPUS
if CommandLine.arguments.dropFirst().first == "seeds" {
  try Seeds.write(to: CommandLine.arguments[2], models: Array(CommandLine.arguments[3...]))
  exit(0)
}

/// The reader that this process feeds.
let target = FuzzTarget(rawValue: ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? "")
guard target != nil else {
  print("Fuzz: FUZZ_TARGET should be one of", FuzzTarget.allCases.map(\.rawValue))
  exit(64)
}

mkdir("/dev/shm/bulkmigrate-fuzz-\(getpid())", 0o700)
var count = CommandLine.argc
var words = CommandLine.unsafeArgv
let code = withUnsafeMutablePointer(to: &words) { pointer in
  pointer.withMemoryRebound(
    to: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?.self,
    capacity: 1
  ) {
    LLVMFuzzerRunDriver(&count, $0) { bytes, size in
      FuzzTarget.current?.run(
        Array(UnsafeBufferPointer(start: bytes, count: size)),
        in: "/dev/shm/bulkmigrate-fuzz-\(getpid())"
      )
      return 0
    }
  }
}
exit(code)

extension FuzzTarget {
  /// The reader that this process feeds.
  static let current = FuzzTarget(
    rawValue: ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
  )
}

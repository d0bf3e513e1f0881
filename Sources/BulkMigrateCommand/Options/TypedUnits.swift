import BulkCoding
import BulkPlatform

/// The units of sizes and times that can be typed, each with the smallest units that it has.
private enum TypedUnit {
  /// Bytes: K, M, G, T and KiB, MiB, GiB, TiB are powers of 1024; KB, MB, GB, TB are powers of 1000.
  static let sizes: [Substring: Int64] = [
    "": 1, "b": 1, "k": 1 << 10, "kib": 1 << 10, "m": 1 << 20, "mib": 1 << 20, "g": 1 << 30,
    "gib": 1 << 30, "t": 1 << 40, "tib": 1 << 40, "kb": 1_000, "mb": 1_000_000,
    "gb": 1_000_000_000, "tb": 1_000_000_000_000,
  ]
  static let times: [Substring: Int64] = [
    "ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000,
  ]

  /// The digits at the beginning of a text, and what follows up to the next ones.
  static func split(_ text: Substring, decimals: Bool = false) -> (Substring, Substring) {
    func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }
    let digits = text.prefix { isDigit($0) || decimals && $0 == "." }
    return (digits, text.dropFirst(digits.count).prefix { !isDigit($0) })
  }
}

extension ByteCount {
  /// Parses a size: `256M`, `0.5G`, `512KiB`, `300MB`, `1048576` or `25%`.
  ///
  /// Case does not matter. A number without a unit is in bytes, and is refused below 1 MiB, because a unit was probably
  /// forgotten. A percentage is of `memory`.
  ///
  /// - Throws: The fault of the text, and what to type instead.
  init(parsing text: String) throws(UsageError) {
    try self.init(parsing: text) { AvailableMemory.detected() }
  }

  /// Parses a size; the base of percentages is called for a percentage only.
  init(parsing text: String, memory: () -> ByteCount) throws(UsageError) {
    let (number, rest) = TypedUnit.split(text[...], decimals: true)
    let unit = rest.drop { $0 == " " }.lowercased()
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty }),
      number.count + rest.count == text.count
    else { throw .notASize(text) }
    // Digits that do not fit are certainly too large.
    let whole = Int64(parts[0]) ?? .max
    let fraction = parts.count == 2 ? Double("0.\(parts[1])") ?? 0 : 0
    if unit == "%" {
      let share = fraction / 100 + Double(whole) / 100
      guard share > 0, share <= 1 else {
        throw UsageError("'\(text)' is not above 0% and at most 100%; try 25%")
      }
      self.init(bytes: Int64(Double(memory().bytes) * share))
      return
    }
    guard let factor = TypedUnit.sizes[Substring(unit)] else { throw .notASize(text) }
    let (product, overflows) = whole.multipliedReportingOverflow(by: factor)
    let (bytes, sumOverflows) = product.addingReportingOverflow(
      Int64(fraction * Double(factor))
    )
    guard !overflows, !sumOverflows, whole < .max else {
      throw UsageError("'\(text)' is more than a file or a memory can hold; try 512M or 1.5G")
    }
    guard bytes > 0 else { throw UsageError("'\(text)' is nothing at all; try 512M, 1.5G or 25%") }
    self.init(bytes: bytes)
    guard !unit.isEmpty || self >= .mebibytes(1) else {
      throw UsageError("'\(text)' has no unit and would be \(self); try \(text)M")
    }
  }
}

extension UsageError {
  static func notASize(_ text: String) -> UsageError {
    UsageError("'\(text)' is not a size; try 512M, 1.5G or 25%")
  }
}

extension Duration {
  /// A hundred years, in milliseconds.
  private static let longest: Int64 = 3_155_760_000_000

  /// Parses a duration: `500ms`, `15s`, `5m` or `1h30m`.
  ///
  /// - Throws: The fault of the text, and what to type instead.
  init(parsing text: String) throws(UsageError) {
    let refusal = UsageError("'\(text)' is not a time; try 500ms, 15s, 5m or 1h30m")
    var (rest, sum, last) = (text[...], Int64(0), Int64.max)
    repeat {
      let (digits, unit) = TypedUnit.split(rest)
      rest = rest.dropFirst(digits.count + unit.count)
      // Larger units come first, each at most once.
      guard let number = Int64(digits), let factor = TypedUnit.times[unit], factor < last else {
        throw refusal
      }
      last = factor
      let (product, isTooLong) = number.multipliedReportingOverflow(by: factor)
      guard !isTooLong, sum <= Self.longest - min(product, Self.longest) else {
        throw UsageError("'\(text)' is more than a hundred years; try 5m or 1h30m")
      }
      sum += product
    } while !rest.isEmpty
    self = .milliseconds(sum)
  }
}

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

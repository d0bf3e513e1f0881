import BulkSupport
import BulkExecute
import BulkFixture
import BulkPlan

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

/// A mistake in a command line or in an environment variable of an option, in a sentence.
struct UsageError: ErrorWithExitCode, Equatable, CustomStringConvertible {
  let description: String
  var exitCode: ExitCode { .usage }

  init(_ description: String) { self.description = description }

  init(_ word: String, among known: [String]) {
    self.init(
      known.count == 1
        ? "'\(word)' is not \(known[0])"
        : "'\(word)' is neither \(known.joined(separator: " nor "))"
    )
  }

  static func missingOperand(_ name: String) -> UsageError { UsageError("missing operand \(name)") }

  /// There are more words than the command takes; the option is one that takes such a word.
  static func unexpected(_ word: String, option: String? = nil) -> UsageError {
    let suggestion = option.map { "\($0) \(ShellWord.quoted(word))" }
    return UsageError("unexpected argument '\(word)'" + question(suggestion))
  }

  /// A command, an option or a variable that does not exist, with what to use instead.
  ///
  /// ``FormerWord`` may have it by one of the former names, which are the word itself if left out; otherwise the suggestion
  /// is made.
  static func unknown(
    _ kind: String,
    _ word: String,
    former: [String]? = nil,
    suggestion: String?
  ) -> UsageError {
    let advice = (former ?? [word]).compactMap { FormerWord.advice[$0] }.first
    let ending = advice.map { "; \($0)" } ?? question(suggestion)
    return UsageError("unknown \(kind) \(kind == "command" ? "'\(word)'" : word)\(ending)")
  }

  private static func question(_ suggestion: String?) -> String {
    suggestion.map { "; did you mean \($0)?" } ?? ""
  }
}

extension Int64 {
  /// Parses a count, whose digits may be in groups of three as they are printed; `nil` for another text.
  init?(count text: String) {
    guard let count = Int64(text.replacing(",", with: "")), count >= 0,
      text == "\(count)" || text == count.grouped
    else { return nil }
    self = count
  }
}

extension LossLimit: OptionValue {
  static var words: [String] { ["none", "all"] }

  /// Parses a limit: `none`, `all`, or a number of objects, values and links together.
  init(parsing text: String) throws(UsageError) {
    switch text {
    case "none": self = .count(0)
    case "all": self = .all
    default:
      guard let count = Int64(count: text) else {
        throw UsageError(text, among: ["none", "a number", "all"])
      }
      self = .count(count)
    }
  }
}

struct WriteRate: OptionValue {
  private(set) var bytesPerSecond: ByteCount?

  static let off = "off"

  init(parsing text: String) throws {
    guard text != Self.off else { return }
    let size = text.hasSuffix("/s") ? String(text.dropLast(2)) : text
    let rate: ByteCount
    do throws(UsageError) {
      // A percentage would be one of the memory.
      guard !size.hasSuffix("%") else { throw .notASize(size) }
      rate = try ByteCount(parsing: size)
    } catch {
      throw error == .notASize(size)
        ? UsageError(text, among: ["a rate such as 50M", Self.off]) : error
    }
    guard rate.bytes >= 1_024 else { throw UsageError(text, among: ["1K or more", Self.off]) }
    bytesPerSecond = rate
  }
}

enum PairList {
  static func add(_ list: String, to rates: inout [Dirt: Double]) throws(UsageError) {
    for (name, text) in try parse(list) {
      guard let rule = Dirt(rawValue: name) else {
        throw UsageError("'\(name)' is none of duplicates, nulls and dangling")
      }
      rates[rule] = try rate(text)
    }
  }

  static func parse(_ list: String) throws(UsageError) -> [(name: String, text: String)] {
    var result: [(name: String, text: String)] = []
    for part in list.split(separator: ",", omittingEmptySubsequences: false) {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2, !sides[0].isEmpty, !sides[1].isEmpty else {
        throw UsageError("'\(part)' is not of the form NAME=VALUE")
      }
      result.append((String(sides[0]), String(sides[1])))
    }
    return result
  }

  /// A count: `5000`, `5_000`, `100K`, `2M`; K and M are powers of 1000.
  static func count(_ text: String) throws(UsageError) -> Int64 {
    let units: [Character: Int64] = ["K": 1_000, "M": 1_000_000, "G": 1_000_000_000]
    let unit = text.last.flatMap { units[Character($0.uppercased())] }
    let digits = (unit == nil ? Substring(text) : text.dropLast()).filter { $0 != "_" }
    guard let number = Int64(digits), number >= 0 else {
      throw UsageError("'\(text)' is not a number of rows; try 5000, 100K or 2M")
    }
    let (product, overflow) = number.multipliedReportingOverflow(by: unit ?? 1)
    guard !overflow, product <= 1 << 40 else {
      throw UsageError("'\(text)' is more rows than a store is made with here")
    }
    return product
  }

  static func rate(_ text: String) throws(UsageError) -> Double {
    guard let rate = Double(percentage: text) ?? Double(text), (0...1).contains(rate) else {
      throw UsageError("'\(text)' is not a rate between none and all; try 1% or 0.01")
    }
    return rate
  }

  static func mean(_ text: String) throws(UsageError) -> Double {
    guard let number = Double(text), (0...1000).contains(number) else {
      throw UsageError("'\(text)' is not a number from 0 to 1000")
    }
    return number
  }

  /// A range of sizes: `10K-200K`, or one size.
  static func sizes(_ text: String) throws(UsageError) -> ClosedRange<Int> {
    let parts = text.split(separator: "-").map(String.init)
    var sizes: [Int] = []
    for part in parts {
      let isPlain = part.allSatisfy(\.isNumber)
      let bytes = isPlain ? Int64(part) : (try? ByteCount(parsing: part))?.bytes
      guard let bytes, (1...1 << 30).contains(bytes) else {
        throw UsageError("'\(part)' is not a size of 1 byte to 1G; try 10K-200K")
      }
      sizes.append(Int(bytes))
    }
    guard let low = sizes.first, let high = sizes.last, sizes.count <= 2, low <= high else {
      throw UsageError("'\(text)' is not a range of sizes; try 10K-200K")
    }
    return low...high
  }
}

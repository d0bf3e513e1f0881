import BulkCoding
import BulkFixture
import BulkPlan
import BulkVersions

struct FixtureCommand: ParsableCommand {
  var output = OutputOptions()
  var model: String?
  var path: String?
  var request = FixtureRequest()

  static let table = OptionTable<FixtureCommand>(
    "fixture",
    results: [.fixture],
    options: [
      .value("model", \.model),
      pairs("rows", \.request.rows, PairList.count),
      .value("output", \.path),
      .value("seed") {
        guard let seed = UInt64($1) else { throw UsageError("'\($1)' is not a whole number") }
        $0.request.seed = seed
      },
      .value("skew", \.request.skew),
      .values("dirty") {
        for (name, text) in try PairList.parse($1) {
          guard let rule = Dirt(rawValue: name) else {
            throw UsageError("'\(name)' is none of duplicates, nulls and dangling")
          }
          $0.request.dirt[rule] = try PairList.rate(text)
        }
      },
      pairs("bytes", \.request.sizes, PairList.sizes),
      pairs("nil", \.request.nilRates, PairList.rate),
      pairs("external", \.request.externalRates, PairList.rate),
      pairs("links", \.request.links, PairList.mean),
    ]
  )

  private static func pairs<Value>(
    _ name: String,
    _ path: ArgumentPath<FixtureCommand, [String: Value]>,
    _ parse: @escaping @Sendable (String) throws -> Value
  ) -> OptionRow<FixtureCommand> {
    .values(name) {
      for (name, text) in try PairList.parse($1) { $0[keyPath: path][name] = try parse(text) }
    }
  }

  func run(_ context: CommandContext) throws -> ExitCode {
    guard let model else { throw UsageError("no model is named; pass --model") }
    guard let path else { throw UsageError("no store is named; pass --output") }
    guard !request.rows.isEmpty else {
      throw UsageError("no rows are requested; pass --rows ENTITY=N")
    }
    let elapsed = Platform.elapsedTime()
    var fixture = try Fixture(try ModelLocator.model(named: model).model, request)
    let progress = context.output.progress()
    defer { progress.finish() }
    // The pairs of join tables come on top.
    let objects = request.rows.values.reduce(0, +)
    fixture.report = {
      progress.update(TaskProgress(name: "making \(path)", done: $0, total: objects))
    }
    let rows = try fixture.write(to: path)
    progress.finish()
    return try context.output.show(
      ["objects": objects, "pairs": rows - objects],
      as: .fixture,
      [
        "\(path): \(objects.grouped) objects"
          + (rows > objects
            ? " and \((rows - objects).grouped) pairs of join tables" : "")
          + ", in \(elapsed().short)"
      ]
    )
  }
}

extension Skew: OptionValue {}

extension FixtureError: ErrorWithExitCode {
  var exitCode: ExitCode {
    switch self {
    case .unknown, .abstract: .usage
    case .exists, .cannotWrite: .cannotCreate
    }
  }
}

enum PairList {
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

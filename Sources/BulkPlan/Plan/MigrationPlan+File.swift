public import BulkSupport

extension MigrationPlan {
  /// The plan's file format: sorted keys, an entry a line, with a line break at the end.
  public func encoded() throws -> Data {
    Data("\(try StableJSON.document(self))\n".utf8)
  }

  /// Refuses what is not a plan, has another format, or was edited.
  package init(contentsOf path: String) throws(PlanError) {
    guard let bytes = FileReading.all(of: path) else { throw .missingPlan(path) }
    guard !bytes.starts(with: "SQLite format 3\0".utf8) else {
      throw .badPlan(path, reason: "it is a store; bulkmigrate plan --source makes a plan for one")
    }
    let plan: MigrationPlan
    do {
      plan = try JSONDecoder().decode(MigrationPlan.self, from: Data(bytes))
    } catch {
      do throws(JSONError) { _ = try JSONDocument(bytes) } catch {
        throw .badPlan(path, reason: "it is not JSON: \(error)")
      }
      let format = try? JSONDecoder().decode(AnyFile.self, from: Data(bytes)).bulkmigrate
      if let format, format != Self.format { throw Self.otherFormat(path, format) }
      throw .badPlan(path, reason: PlanError.text(of: error))
    }
    guard plan.bulkmigrate == Self.format else { throw Self.otherFormat(path, plan.bulkmigrate) }
    guard plan.fingerprint == plan.computedFingerprint else {
      throw .badPlan(path, reason: "it was changed after it was made")
    }
    if let reason = plan.contradiction { throw .badPlan(path, reason: reason) }
    self = plan
  }

  private static func otherFormat(_ path: String, _ found: String) -> PlanError {
    .badPlan(path, reason: "its format is \(found), not \(format)")
  }

  /// Whether a file is a plan, of any format and even if partly corrupt.
  public static func isPlan(_ path: String) -> Bool {
    guard
      let bytes = FileReading.all(of: path),
      let file = try? JSONDecoder().decode(AnyFile.self, from: Data(bytes))
    else { return false }
    return file.bulkmigrate.hasPrefix("plan/")
  }

  /// The common beginning of all files of this project.
  private struct AnyFile: Decodable {
    let bulkmigrate: String
  }

  /// Values that no plan made here has; a digest alone can be computed for any text.
  private var contradiction: String? {
    let counts = rowCounts + byteCounts
    let sum = counts.reduce(0.0) { $0 + Double($1) }
    guard counts.allSatisfy({ $0 >= 0 }), sum <= Self.countLimit, passes.count < 65_536 else {
      return "it promises rows or bytes that no store can have"
    }
    guard passes.allSatisfy({ (0...Self.secondLimit).contains($0.estimatedSeconds) }) else {
      return "it promises a time that no migration takes"
    }
    guard losses.allSatisfy({ $0.count > 0 && $0.step > 0 }),
      (strays ?? []).allSatisfy({ losses.contains(Loss($0)) })
    else { return "its losses are not those of its work" }
    let models: [ModelInput] =
      [source.model, destination.model] + steps.flatMap { [$0.source, $0.destination] }
    var paths = [source.store, destination.store]
    paths += models.flatMap { [$0.path] + ($0.mergedWith ?? []) }
    paths += steps.flatMap(\.mapping.files)
    if paths.contains(where: { $0.utf8.contains(0) }) { return "a path in it holds a NUL" }
    return stepContradiction
  }

  private var rowCounts: [Int64] {
    let entities = passes.flatMap(\.entities) + steps.flatMap { $0.entities ?? [] }
    return passes.map(\.rows) + losses.map(\.count) + carried.tables.map(\.rows)
      + entities.flatMap { [$0.rows, $0.rowsLost, $0.rowsLeftOut ?? 0] }
      + [source.externalFiles?.count ?? 0, source.externalFiles?.missing ?? 0]
  }

  private var byteCounts: [Int64] {
    let shares = memory.shares + passes.flatMap(\.memory)
    return passes.map(\.estimatedBytes) + shares.flatMap { [$0.leastBytes, $0.mostBytes] }
      + [source.bytes, source.externalFiles?.bytes ?? 0, memory.largestRow?.bytes ?? 0]
  }

  /// More rows and bytes than files of SQLite can hold; as many in each of 4,096 legs fit 64 bits.
  private static let countLimit = 0x1p50
  /// More seconds than it takes to write that many bytes.
  private static let secondLimit = 1e10

  var withFingerprint: MigrationPlan {
    var plan = self
    plan.fingerprint = computedFingerprint
    return plan
  }

  /// The digest of everything else in the plan.
  package var computedFingerprint: String {
    var bare = self
    bare.fingerprint = ""
    bare.memory.smallestLimitBytes = nil
    // Attributes change without the content.
    bare.source.reading = nil
    let bytes = (try? bare.encoded()).map { [UInt8]($0) } ?? []
    return Digest.text(of: bytes)
  }
}

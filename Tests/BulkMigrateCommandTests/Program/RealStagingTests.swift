#if os(Linux)
import BulkTestSupport
import Foundation
import Testing

/// A staged store becomes what a direct run makes of it, its log and its external values included.
@Suite(
  "Real stores that are staged",
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built"),
  .enabled(if: SharedData.isPresent, "skips because ../shared is not there")
)
struct RealStagingTests {
  /// Stores of one app with its models; three have logs, without which some have no rows.
  private static let apps = [
    "bookmarks", "wibosco", "surf-journal", "core-data-plus",
  ]
  /// A part of all pairs, which together take half a minute.
  private static let pairs = OraclePair.all.indices.filter { $0.isMultiple(of: 5) }.map {
    OraclePair.all[$0]
  }
  private static let staging = [
    "--stage-in", #"[ -e "$FROM" ] || exit 66; cp "$FROM" "$TO""#, "--stage-out",
    #"mkdir -p "$(dirname "$TO")"; [ -e "$TO" ] && exit 73; cp "$FROM" "$TO""#, "--scratch",
    "scratch",
  ]

  @Test(arguments: pairs) func `they become the same as in a direct run`(pair: OraclePair) throws {
    let version = URL(fileURLWithPath: pair.destinationModel).deletingPathExtension()
      .lastPathComponent
    let models = [pair.sourceModel ?? pair.destinationModel, pair.destinationModel]
    let outcomes = try compare(
      [pair.source],
      ["--to", version] + models.flatMap { ["--models", SharedData.path($0)] }
    )
    #expect(outcomes == ["0 done 0"])
  }

  @Test(arguments: apps) func `the stores of an app become the same as in a direct run`(
    app: String
  ) throws {
    let outcomes = try compare(
      SharedData.stores.filter { $0.hasPrefix("\(app)/") },
      ["--models", SharedData.path(app)]
    )
    #expect(outcomes.contains { $0.hasSuffix(" done 0") }, "\(outcomes)")
  }

  /// Migrates stores directly and staged, expects the same of both, and returns what became of each.
  private func compare(_ stores: [String], _ words: [String]) throws -> [String] {
    let folder = try TemporaryDirectory()
    let direct = try migrate(stores, words, in: folder, "direct")
    let staged = try migrate(stores, words, in: folder, "staged")
    #expect(direct == staged)
    #expect(try contents(folder, "direct") == contents(folder, "staged"))
    return staged
  }

  private func migrate(
    _ stores: [String],
    _ words: [String],
    in folder: TemporaryDirectory,
    _ kind: String
  ) throws -> [String] {
    func run(_ words: [String]) throws {
      let run = try ProcessRun(
        Program.path ?? "",
        words,
        in: folder.path,
        environment: Program.environment
      )
      #expect([0, 3].contains(run.status), "\(run.errors)")
    }
    _ = try folder.folder(kind)
    let lines = try stores.indices.map {
      String(
        decoding: try JSONEncoder().encode([
          "id": "\($0)", "source": SharedData.path(stores[$0]),
          "destination": folder.path("\(kind)/\($0).sqlite"),
        ]),
        as: UTF8.self
      ) + "\n"
    }
    try Data(lines.joined().utf8).write(to: URL(fileURLWithPath: folder.path("\(kind).jsonl")))
    let isStaged = kind == "staged"
    try run(
      [
        "fleet", "plan", "-q", "--manifest", "\(kind).jsonl", "--max-loss", "all", "-o",
        "\(kind).fleet.json",
      ] + words
        + (isStaged ? ["--staged"] : [])
    )
    try run(
      ["fleet", "run", "-q", "--fleet", "\(kind).fleet.json", "--results", "\(kind).results"]
        + (isStaged ? Self.staging : [])
    )
    return try FleetFolder.outcomes(at: folder.path("\(kind).results"))
  }

  /// The bytes of the files of a store, by their names.
  private func contents(_ folder: TemporaryDirectory, _ kind: String) throws -> [String: Data] {
    try folder.bytes().filter {
      $0.key.hasPrefix("\(kind)/") && !$0.key.contains(".bulkmigrate")
        && !$0.key.contains("receipt")
    }.reduce(into: [:]) { $0[String($1.key.dropFirst(kind.count))] = $1.value }
  }
}
#endif

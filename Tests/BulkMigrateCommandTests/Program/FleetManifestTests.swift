import BulkTestSupport
import Testing

/// What `fleet plan` reports about a manifest, and what it refuses before anything starts.
@Suite("Plans of fleets", .program)
struct FleetManifestTests {
  private let folder: FleetFolder
  private var program: Program { folder.program }

  init() throws { folder = try FleetFolder(stores: 2) }

  private func plan(_ lines: String..., words: [String] = []) throws -> ProcessRun {
    try program.write(lines.joined(separator: "\n") + "\n", to: "stores.jsonl")
    return try program(FleetFolder.planning + words)
  }

  @Test func `a version that no model has is refused, unless the store is of it`() throws {
    let lines = ["a", "b"].map {
      #"{"id":"\#($0)","source":"s1.sqlite","destination":"new/\#($0).sqlite","bytes":7,"version":""#
        + ($0 == "a" ? "v9\"}" : "v1\"}")
    }
    let run = try plan(lines[0], lines[1]).ending(65)
    let reason = "line 1: version is 'v9', but the models are v1, v2"
    #expect(run.errors.hasSuffix("\(reason), and the store is v1\n"), "\(run.errors)")
    let staged = try plan(lines[0], lines[1], words: ["--staged"]).ending(65)
    #expect(staged.errors.hasSuffix("\(reason)\n"), "\(staged.errors)")
  }

  @Test(arguments: [
    ("plan --manifest nowhere.jsonl --models models", 66), ("plan --manifest stores.jsonl", 64),
    ("plan --models models", 64), ("paln", 64), ("run", 66), ("run --bin 4/3", 64),
    ("retry", 64), ("plan --manifest stores.csv --models models", 64),
    ("plan --manifest stores.jsonl --models models --to v2 -o none/fleet.json", 73),
    ("plan --manifest stores.jsonl --models models --to v2 -o mine.json", 73),
    ("plan --manifest faulty.jsonl --models models --to v2", 65),
    ("plan --folder . --into new --models models -o mine.json", 73),
    ("plan --folder . --into new", 64), ("run --stage-in a --stage-out b --scratch mine.json", 73),
  ])
  func `an error has its code, and nothing is written`(line: String, status: Int32) throws {
    try program.write("{}", to: "mine.json")
    try program.write(#"{"id":"a","source":"s2.sqlite"}"#, to: "faulty.jsonl")
    let before = try program.directory.bytes()
    #expect(try program(["fleet"] + line.words).status == status)
    #expect(try program.directory.bytes() == before)
  }

  @Test func `the stores of a folder are a manifest, in bins of equal bytes`() throws {
    for number in 3...8 { try program.write("", to: "s\(number).sqlite") }
    let words = ["fleet", "plan", "-q", "--json", "--models", "models", "--to", "v2"]
    let run = try program(
      words + ["--folder", ".", "--pattern", "s?.sqlite", "--into", "new", "--bins", "3"]
    ).ending(0)
    #expect(run.output.contains("\"count\" : 8"))
    let list = try program.text(of: "bulkmigrate.fleet.stores.jsonl")
    let bins = list.matches(of: /"bin":([0-9]+)/).compactMap { Int($0.1) }
    #expect(bins == [1, 1, 1, 2, 2, 2, 3, 3])
  }

  @Test func `stores of which all is given are not opened, and what is named in vain is told`()
    throws
  {
    let run = try plan(
      #"{"id":"a","source":"nowhere","destination":"new/a","bytes":7,"version":"v1","clas":"x"}"#,
      #"{"id":"b","source":"Notes.sqlite","destination":"none/b"}"#
    ).ending(0)
    #expect(run.output.contains("\nnot read in the manifest: clas\n"), "\(run.output)")
    #expect(
      run.output.contains(
        "\ncannot be migrated: b\n  the folder of the destination, none/, does not exist; make it\n"
      ),
      "\(run.output)"
    )
    #expect(run.output.contains("\n2 stores in 2 bins, "), "\(run.output)")
  }

  /// 20 MB/s for the two stores, and 0.05 s for each: 5.1 s, rounded up.
  @Test func `a plan of staged stores tells what is moved, and how often a command is called`()
    throws
  {
    let run = try plan(
      #"{"id":"a","source":"s3:a","destination":"s3:b/a","bytes":50000000,"version":"v1"}"#,
      #"{"id":"c","source":"s3:c","destination":"s3:b/c","bytes":50000000,"version":"v1"}"#,
      words: ["--staged"]
    )
    #expect(
      run.output.hasSuffix(
        "\nabout 6.0s of one worker, and 95.4 MiB for the stores to make; 191 MiB are moved by 10 calls, and more for "
          + "external values\n"
      ),
      "\(run.output)"
    )
  }

  @Test func `what stores of a version lose is told, and whether the limit forbids it`() throws {
    let model = try ManagedObjectModel.of(
      EntityDescription("Note", [.optional("stars", .integer16)])
    )
    try program.write(model, to: "models/v2.mom")
    let run = try program(FleetFolder.planning, ending: 0)
    #expect(run.output.contains("\nlost of v1, as in s1:\n  2 values of Note.title: "))
    #expect(run.output.contains("run would refuse this store; to allow it, pass --max-loss 2\n"))
    let allowed = try program(FleetFolder.planning + ["--max-loss", "2"])
    #expect(allowed.output.contains("lost of v1, as in s1:"))
    #expect(!allowed.output.contains("run would refuse"))
  }
}

#if os(Linux)
import BulkModel
import BulkTestSupport
import Foundation
import Testing

/// What a manifest may hold, and what is refused before anything starts.
@Suite(
  "Manifests of fleets",
  .tags(.promise8),
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
)
struct FleetManifestTests {
  private let folder: FleetFolder
  private var program: Program { folder.program }

  init() throws { folder = try FleetFolder(stores: 2) }

  @Test func `all faults are listed with their lines`() throws {
    try program.write(
      """
      {"id":"a","source":"s1.sqlite","destination":"new/a.sqlite"}
      {"id":"a","source":"s2.sqlite","destination":"new/b.sqlite"}
      {"id":"c","source":"s2.sqlite","destination":"new/../new/a.sqlite"}
      {"id":"d","source":"s2.sqlite"}
      {"id":"e","source":"../outside.sqlite","destination":"new/e.sqlite"}
      {"id":"f","source":"s1.sqlite","destination":"s1.sqlite"}
      {"id":"g","source":"s1.sqlite","destination":"new/g.sqlite","bytes":-1}
      {"id":1,"source":"s1.sqlite","destination":"new/h.sqlite"}
      {"id":"i",
      []

      """,
      to: "stores.jsonl"
    )
    let run = try program.failure(FleetFolder.planning + ["--root", "."])
    #expect(run.status == 65)
    let outside = URL(fileURLWithPath: program.directory.path).deletingLastPathComponent().path
    #expect(
      run.errors.replacing(outside, with: "OUT") == """
        bulkmigrate: DIR/stores.jsonl has 9 faults; nothing was started
        bulkmigrate: line 2: the id a is that of line 1 already
        bulkmigrate: line 3: the destination DIR/new/a.sqlite is that of line 1 already
        bulkmigrate: line 4: destination is missing
        bulkmigrate: line 5: the source OUT/outside.sqlite is outside of DIR
        bulkmigrate: line 6: source and destination are the same file, DIR/s1.sqlite
        bulkmigrate: line 7: bytes is '-1', which is not a number of bytes
        bulkmigrate: line 8: id is a number, not a text
        bulkmigrate: line 9: column 11: expected a name in quotation marks, found the end
        bulkmigrate: line 10: it is an array, not an object

        """
    )
    #expect(try program.names(in: ".").contains("bulkmigrate.fleet.json") == false)
  }

  @Test func `a name that leads out of the folder is refused`() throws {
    _ = try program.directory.folder("in")
    try FileManager.default.createSymbolicLink(
      atPath: program.directory.path("in/s1.sqlite"),
      withDestinationPath: "../s1.sqlite"
    )
    try FileManager.default.createSymbolicLink(
      atPath: program.directory.path("in/new"),
      withDestinationPath: "../new"
    )
    try program.write(
      "{\"id\":\"a\",\"source\":\"in/s1.sqlite\",\"destination\":\"in/new/a.sqlite\"}\n",
      to: "stores.jsonl"
    )
    let run = try program.failure(FleetFolder.planning + ["--root", "in"])
    #expect(run.status == 65)
    #expect(
      run.errors.contains("the source DIR/in/s1.sqlite leads to DIR/s1.sqlite, which is outside of")
    )
    #expect(
      run.errors.contains(
        "destination DIR/in/new/a.sqlite leads to DIR/new/a.sqlite, which is outs"
      )
    )
  }

  @Test func `no line makes what another one reads, nor a file beside it`() throws {
    try program.write(
      """
      {"id":"a","source":"s1.sqlite","destination":"new/a.sqlite"}
      {"id":"b","source":"s2.sqlite","destination":"s1.sqlite"}
      {"id":"c","source":"s3.sqlite","destination":"s2.sqlite-wal"}
      {"id":"d","source":"s4.sqlite","destination":"new/a.sqlite.bulkmigrate"}
      {"id":"e","source":"s5.sqlite","destination":"s5.sqlite-shm"}
      {"id":"f","source":"new/g.sqlite-journal","destination":"new/f.sqlite"}
      {"id":"g","source":"s1.sqlite","destination":"new/g.sqlite"}
      {"id":"h","source":"s6.sqlite","destination":"old.bulkmigrate/h.sqlite"}
      {"id":"i","source":"s7.sqlite","destination":"old.bulkmigrate/i.sqlite"}

      """,
      to: "stores.jsonl"
    )
    let run = try program.failure(FleetFolder.planning)
    #expect(run.status == 65)
    #expect(
      run.errors == """
        bulkmigrate: DIR/stores.jsonl has 6 faults; nothing was started
        bulkmigrate: line 2: the destination DIR/s1.sqlite is the source of line 1, or a file beside it
        bulkmigrate: line 2: the destination DIR/s1.sqlite is the source of line 7, or a file beside it
        bulkmigrate: line 3: the destination DIR/s2.sqlite-wal is the source of line 2, or a file beside it
        bulkmigrate: line 4: the destination DIR/new/a.sqlite.bulkmigrate is that of line 1 already
        bulkmigrate: line 5: the destination DIR/s5.sqlite-shm is the source of line 5, or a file beside it
        bulkmigrate: line 7: the destination DIR/new/g.sqlite is the source of line 6, or a file beside it

        """
    )
  }

  @Test func `a version that no model has is refused, unless the store is of it`() throws {
    try program.write(
      """
      {"id":"a","source":"s1.sqlite","destination":"new/a.sqlite","bytes":7,"version":"v9"}
      {"id":"b","source":"s2.sqlite","destination":"new/b.sqlite","bytes":7,"version":"v1"}

      """,
      to: "stores.jsonl"
    )
    let run = try program.failure(FleetFolder.planning)
    #expect(run.status == 65)
    #expect(
      run.errors == """
        bulkmigrate: DIR/stores.jsonl has 1 fault; nothing was started
        bulkmigrate: line 1: version is 'v9', but the models are v1, v2, and the store is v1

        """
    )
    let staged = try program.failure(FleetFolder.planning + ["--staged"])
    #expect(staged.status == 65)
    #expect(
      staged.errors.hasSuffix("line 1: version is 'v9', but the models are v1, v2\n"),
      "\(staged.errors)"
    )
  }

  @Test func `a plan into a missing folder is refused before any store is opened`() throws {
    let run = try program.failure(FleetFolder.planning + ["-o", "nowhere/fleet.json"])
    #expect(run.status == 73)
    #expect(
      run.errors
        == "bulkmigrate: nowhere/fleet.stores.jsonl cannot be made: its folder does not exist\n"
    )
  }

  @Test(arguments: ["", "\n \n"])
  func `a manifest without a store is refused`(text: String) throws {
    try program.write(text, to: "stores.jsonl")
    let run = try program.failure(FleetFolder.planning)
    #expect(run.status == 65)
    #expect(
      run.errors
        == "bulkmigrate: DIR/stores.jsonl has 1 fault; nothing was started\nbulkmigrate: line 1: there is no store in it\n"
    )
  }

  @Test func `a header without a column is refused`() throws {
    try program.write("id,source\na,s1.sqlite\n", to: "stores.csv")
    let run = try program.failure([
      "fleet", "plan", "--manifest", "stores.csv", "--models", "models",
    ])
    #expect(run.status == 65)
    #expect(
      run.errors
        == "bulkmigrate: stores.csv has 1 fault; nothing was started\nbulkmigrate: line 1: the header has no column destination\n"
    )
  }

  @Test func `values divided by commas are a manifest too, and so are the stores of a folder`()
    throws
  {
    try program.write(
      "Class,id,source,destination\r\n\"a, \"\"b\"\"\",s1,s1.sqlite,new/s1.sqlite\r\n",
      to: "stores.csv"
    )
    let words = ["fleet", "plan", "-q", "--json", "--models", "models", "--to", "v2"]
    #expect(try program(words + ["--manifest", "stores.csv"]).status == 0)
    let list = try String(
      contentsOfFile: program.directory.path("bulkmigrate.fleet.stores.jsonl"),
      encoding: .utf8
    )
    #expect(list.contains(#""class":"a, \"b\"""#))
    let run = try program(words + ["--folder", ".", "--pattern", "s?.sqlite", "--into", "new"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("\"count\" : 2"))
  }

  @Test func `a missing manifest is 66, and no models are an error of use`() throws {
    let words = ["fleet", "plan", "--manifest", "nowhere.jsonl", "--models", "models"]
    #expect(try program(words).status == 66)
    #expect(try program("fleet", "plan", "--manifest", "stores.jsonl").status == 64)
    #expect(try program("fleet", "plan", "--models", "models").status == 64)
    #expect(try program("fleet", "paln").status == 64)
    #expect(try program("fleet", "run").status == 66)
  }

  @Test func `stores of which all is given are not opened`() throws {
    try program.write(
      #"{"id":"a","source":"nowhere.sqlite","destination":"new/a.sqlite","bytes":7,"version":"v1"}"#,
      to: "stores.jsonl"
    )
    let run = try program(FleetFolder.planning)
    #expect(run.status == 0)
    #expect(
      run.output.hasSuffix(
        """

        1 store in 1 bin, 7 bytes; 0 that cannot be migrated as they are
        about 1.0s of one worker, and 7 bytes for the stores to make

        """
      )
    )
  }

  /// 25 MiB/s for the two stores, and 0.05 s for each: 3.9 s, rounded up.
  @Test func `a plan of staged stores tells what is moved, and how often a command is called`()
    throws
  {
    try program.write(
      """
      {"id":"a","source":"s3:a","destination":"s3:b/a","bytes":50000000,"version":"v1"}
      {"id":"c","source":"s3:c","destination":"s3:b/c","bytes":50000000,"version":"v1"}

      """,
      to: "stores.jsonl"
    )
    let run = try program(FleetFolder.planning + ["--staged", "--rate", "25M"])
    #expect(
      run.output.hasSuffix(
        "\nabout 4.0s of one worker, and 95.4 MiB for the stores to make; 191 MiB are moved by 10 calls, and more for "
          + "external values\n"
      ),
      "\(run.output)"
    )
  }

  @Test func `what stores of a version lose is told, and whether the limit forbids it`() throws {
    let model = try ManagedObjectModel.of(
      EntityDescription("Note", [.optional("stars", .integer16)])
    )
    try TestStore.write(model, to: program.directory.path("models/v2.mom"))
    let run = try program(FleetFolder.planning)
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      run.output.contains(
        """

        lost of v1, as in s1:
          2 values of Note.title: nothing in the destination is made of them
          run would refuse this store; to allow it, pass --max-loss 2

        """
      ),
      "\(run.output)"
    )
    let allowed = try program(FleetFolder.planning + ["--max-loss", "2"])
    #expect(allowed.output.contains("lost of v1, as in s1:"))
    #expect(!allowed.output.contains("run would refuse"))
  }

  @Test func `what is named in vain and a folder that is missing are told`() throws {
    try program.write(
      """
      {"id":"a","source":"Notes.sqlite","destination":"new/a.sqlite","verison":"v1"}
      {"id":"b","source":"Notes.sqlite","destination":"nowhere/b.sqlite","clas":"x"}

      """,
      to: "stores.jsonl"
    )
    let run = try program(FleetFolder.planning)
    #expect(run.status == 0)
    #expect(run.output.contains("\nnot read in the manifest: clas, verison\n"), "\(run.output)")
    let folder = program.directory.path("nowhere/")
    #expect(
      run.output.contains(
        "\ncannot be migrated: b\n  the folder of the destination, \(folder), does not exist; make it\n"
      ),
      "\(run.output)"
    )
  }

  @Test func `a file that is no fleet is not overwritten`() throws {
    try program.write("{}", to: "bulkmigrate.fleet.json")
    #expect(try program(FleetFolder.planning).status == 73)
  }
}
#endif

import BulkTestSupport
import Testing

struct SalvageCommandTests {
  private let program: Program
  private let page: Int

  /// A store of which a leaf of the notes cannot be read.
  init() throws {
    program = try Program(.call)
    let store = StoreFile(program.directory.path("Notes.sqlite"))
    try store.execute(
      "WITH RECURSIVE c (x) AS (SELECT 1000 UNION ALL SELECT x + 1 FROM c WHERE x < 2000) "
        + "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE) SELECT x, 1, 1, 'note ' || x FROM c"
    )
    page = try store.leaves(of: "ZNOTE")[1]
    try store.write(Array(repeating: 0, count: 4096), to: page)
  }

  @Test func `a loss is refused with the number to give, and then allowed`() throws {
    let refused = try program("salvage", "Notes.sqlite", "-o", "Readable.sqlite", ending: 65)
    #expect(refused.errors.contains(" rows: page \(page) of table ZNOTE, with the rows of keys "))
    let number = try #require(refused.errors.firstMatch(of: #/--max-loss (\d+)/#)?.1)
    let most = refused.errors.contains("at most") ? "at most " : ""
    #expect(!FileManager.default.fileExists(atPath: program.directory.path("Readable.sqlite")))
    let done = try program(
      "salvage",
      "Notes.sqlite",
      "-o",
      "Readable.sqlite",
      "--max-loss",
      "\(number)",
      "--json"
    )
    #expect(done.status == 0, "\(done.errors)")
    #expect(try JSONSchema(of: "salvage").faults(of: Data(done.output.utf8)) == [])
    let line =
      "the store was salvaged from one with damaged pages; rows lost: \(most)\(number) of ZNOTE"
    #expect(try program("inspect", "Readable.sqlite").output.contains("salvaged    \(line)\n"))
    let words = ["--source", "Readable.sqlite", "--destination", "New.sqlite"]
    let plan = try program(["plan"] + words + ["--destination-model", "v2.mom"])
    #expect(plan.output.contains("Warnings\n  \(line)\n"), "\(plan.output)\(plan.errors)")
    #expect(try program("run").errors.contains("warning: \(line)"))
    #expect(try program("verify").errors.contains("warning: \(line)"))
  }

  @Test func `other commands name the page and this command`() throws {
    for words in [
      ["inspect", "Notes.sqlite"],
      ["plan", "--source", "Notes.sqlite", "--destination", "x", "--destination-model", "v2.mom"],
    ] {
      let run = try program(words, ending: 65)
      #expect(run.errors.contains("is damaged: page \(page) of table ZNOTE"), "\(run.errors)")
      #expect(run.errors.contains("bulkmigrate salvage STORE -o COPY"))
    }
  }
}

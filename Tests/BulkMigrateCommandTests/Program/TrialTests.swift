import BulkModel
import BulkTestSupport
import Foundation
import Testing

/// `mapping --try` and `evaluate`: values, errors at their places, and what is read at most.
@Suite(
  "The program, trying mappings and expressions",
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
)
struct TrialTests {
  private let program: Program

  init() throws { program = try Program() }

  private func write(_ mappings: String) throws {
    let text = """
      { "bulkmigrate": "mapping/1",
        "source": { "store": "Notes.sqlite" }, "destination": { "model": "v2.mom" },
        "entityMappings": [
          \(mappings)
        ] }
      """
    try program.write(text, to: "all.json")
  }

  @Test func `objects are shown before and after, and an error hides no other value`() throws {
    try write(
      #"""
      { "source": "Note", "destination": "Note",
        "attributes": { "stars": "6 / ($source.title.length - 1)", "title": "uppercase:($source.title)" } }
      """#
    )
    let before = try program.directory.bytes()
    let run = try program("mapping", "--try", "all.json", "--sample", "1")
    #expect(run.status == 65)
    #expect(
      run.output == """
        NoteToNote: Note to Note

          Note 1
            BEFORE     PROPERTY  AFTER  BY
            title "a"  stars     error  6 / ($source.title.length - 1)
              all.json:5:29: divide:by: divides by zero
            title "a"  title     "A"    uppercase:($source.title)

          1 object of 1 row shown

        3 pages read

        """
    )
    #expect(try program.directory.bytes() == before)
  }

  /// The value of note 1 is in a file, that of 2 is nil, and that of 3 larger than what a trial holds.
  @Test func `values in files are copied unread, and compared with nil`() throws {
    let image = AttributeDescription.external("image")
    let destination = EntityDescription("Note", [image, .optional("has", .integer16)])
    try TestStore.write(.of(destination), to: program.directory.path("v2.mom"))
    var store = TestStore(try .of(EntityDescription("Note", [image])))
    store.objects = (1...3).map { TestObject("Note", $0) }
    let name = "8F4F6C2A-7C9B-4A5E-8D11-6A6C9A1B2C3D"
    store.sql = [
      "UPDATE ZNOTE SET ZIMAGE = CAST(x'02' || '\(name)' || x'00' AS BLOB) WHERE Z_PK = 1",
      "UPDATE ZNOTE SET ZIMAGE = CAST(x'01' || zeroblob(40000000) AS BLOB) WHERE Z_PK = 3",
    ]
    try FileManager.default.removeItem(atPath: program.directory.path("Notes.sqlite"))
    _ = try store.write(to: program.directory.path("Notes.sqlite"))
    let test = "TERNARY(image != nil, 1, 0)"
    let tested = try program("evaluate", "Notes.sqlite", "Note", test, "--json")
    #expect(tested.status == 0, "\(tested.errors)")
    let report = try JSONSerialization.jsonObject(with: Data(tested.output.utf8)) as? [String: Any]
    let objects = report?["objects"] as? [[String: Any]]
    #expect(objects?.map { $0["value"] as? Int } == [1, 0, 1])
    let words = ["evaluate", "Notes.sqlite", "Note", "image", "--where", "image != nil"]
    let copied = try program(words + ["--sample", "1"])
    #expect(copied.status == 0, "\(copied.output)\(copied.errors)")
    #expect(copied.output.contains("image holds a value that lies in a file"), "\(copied.output)")
    try write(
      #"""
      { "source": "Note", "destination": "Note", "filter": "image != nil",
        "attributes": { "image": "$source.image", "has": "TERNARY($source.image != nil, 1, 0)" } }
      """#
    )
    let tried = try program("mapping", "--try", "all.json", "--sample", "1")
    #expect(tried.status == 0, "\(tried.output)\(tried.errors)")
    let note = "image holds a value that lies in a file of its own, which is copied as it is"
    #expect(tried.output.contains(note), "\(tried.output)")
  }

  @Test func `expressions that are wrong are told with line and column, beside the others`() throws
  {
    try write(
      #"""
      { "source": "Note", "destination": "Note",
        "attributes": { "stars": "1 + (2", "title": "$source.titel", "stas": "1" } }
      """#
    )
    let run = try program("mapping", "--try", "all.json", "--sample", "1")
    #expect(run.status == 65)
    #expect(
      run.output == """
        NoteToNote: Note to Note
          read by nothing and lost: title
          error: all.json:5:64: attribute stas: Note has no such attribute; did you mean stars?

          Note 1
            BEFORE  PROPERTY  AFTER  BY
                    stars     error  1 + (2
              all.json:5:35: found the end, expected an operator or ')'
                    title     error  $source.titel
              all.json:5:56: the source entity is Note, and it has no property titel; did you mean title?

          1 object of 1 row shown

        3 pages read

        """
    )
  }

  @Test func `a predicate selects, a filter leaves out, and nil in a required attribute is told`()
    throws
  {
    try write(
      #"{ "source": "Note", "destination": "Note", "filter": "title != 'a'", "attributes": { "stars": "$source.title.length" } }"#
    )
    let run = try program("mapping", "--try", "all.json", "--where", "title != 'b'")
    #expect(run.status == 0)
    #expect(
      run.output == """
        NoteToNote: Note to Note

          Note 4
            BEFORE     PROPERTY  AFTER  BY
            title nil  stars     nil    $source.title.length
              it is required, and gets nil
            title nil  title     nil    copied

          1 object of 3 rows shown, 1 left out by the filter; there are no others

        3 pages read

        """
    )
  }

  @Test func `values are whole in JSON, and a page in Markdown means what the table means`() throws
  {
    try write(
      #"{ "source": "Note", "destination": "Note", "attributes": { "title": "\"0123456789012345678901234567890123456789|\"" } }"#
    )
    let words = ["mapping", "--try", "all.json", "--sample", "1"]
    let json = try program(words + ["--json"])
    #expect(json.status == 0)
    #expect(json.output.contains(#""after" : "0123456789012345678901234567890123456789|""#))
    let page = try program(words + ["--markdown"])
    #expect(
      page.output == #"""
        ## NoteToNote: Note to Note

        read by nothing and lost: title

        ### Note 1

        | BEFORE | PROPERTY | AFTER | BY |
        | --- | --- | --- | --- |
        |  | stars | 3 | the model's default value |
        |  | title | "012345678901234567890123456789… | "0123456789012345678901234567890123456789\|" |

        1 object of 1 row shown

        3 pages read

        """#
    )
  }

  @Test func `a policy is named, and not run`() throws {
    try write(
      #"""
      { "source": "Note", "destination": "Note", "policy": "Maker",
        "attributes": { "stars": "FUNCTION($entityPolicy, \"starsOf:\", $source.title)" } }
      """#
    )
    let run = try program("mapping", "--try", "all.json", "--sample", "1")
    #expect(run.status == 0)
    #expect(
      run.output.contains(
        "  its objects are made by the policy Maker, which is not run here; these are the values of the expressions\n"
      )
    )
    #expect(
      run.output.contains("      made by starsOf: of the policy Maker, which is not run here\n")
    )
  }

  @Test func `an expression is shown with its type, and its error at the object`() throws {
    let run = try program("evaluate", "Notes.sqlite", "Note", "6 / (title.length - 1)")
    #expect(run.status == 65)
    #expect(
      run.output == """
        6 / (title.length - 1): an integer
            OBJECT  VALUE  TYPE
            Note 1  error
              divide:by: divides by zero
            Note 2  error
              divide:by: divides by zero
            Note 4  nil    nil

          3 objects of 3 rows shown; there are no others

        3 pages read

        """
    )
    let whole = try program("evaluate", "Notes.sqlite", "Note", "uppercase:(title)", "--json")
    #expect(whole.status == 0)
    #expect(whole.output.contains(#""value" : "A""#))
    #expect(whole.output.contains(#""value" : null"#))
  }

  @Test func `a value that its type excludes is told, and copied as a run copies it`() throws {
    try StoreFile(program.directory.path("Notes.sqlite")).execute(
      "UPDATE ZNOTE SET ZTITLE = x'00' WHERE Z_PK = 1"
    )
    let run = try program("evaluate", "Notes.sqlite", "Note", "title", "--sample", "1")
    // A run copies it, too.
    #expect(run.status == 0)
    #expect(run.output.contains("    Note 1  title holds a BLOB  binary\n"), "\(run.output)")
    try write(#"{ "source": "Note", "destination": "Note" }"#)
    let copy = try program("mapping", "--try", "all.json", "--sample", "1")
    #expect(copy.status == 0)
    #expect(copy.output.contains("      title holds a BLOB, which is copied as it is\n"))
  }

  @Test(arguments: [
    (
      ["evaluate", "Notes.sqlite", "Note", "1 +"], 64,
      "EXPRESSION: 1:4: found the end, expected a value"
    ),
    (
      ["evaluate", "Notes.sqlite", "Note", "titel"], 65,
      "the expression titel cannot be evaluated for Note: entity Note has no property titel; did you mean title?"
    ),
    (
      ["evaluate", "Notes.sqlite", "Nte", "title"], 65,
      "the model of Notes.sqlite has no entity Nte; did you mean Note?"
    ),
    (["evaluate", "none.sqlite", "Note", "title"], 66, "none.sqlite: no such file"),
    (["evaluate", "v1.mom", "Note", "title"], 65, "v1.mom: it is not an SQLite database"),
    (
      ["evaluate", "Notes.sqlite", "Note", "title", "--where", "titel == 1"], 65,
      "--where: titel == 1 cannot be evaluated for Note: entity Note has no property titel; did you mean title?"
    ),
    (
      ["evaluate", "Notes.sqlite", "Note", "title", "--where", "title ="], 64,
      "--where: 1:8: found the end, expected a value"
    ),
    (
      ["evaluate", "Notes.sqlite", "Note", "title", "--sample", "0"], 64,
      "--sample: '0' is not a number from 1 to 1000"
    ),
    (
      ["mapping", "--try", "none.json"], 66,
      "the mapping none.json cannot be read: the file does not exist"
    ),
    (
      ["mapping", "--try", "all.json", "--entity", "Tag"], 64,
      "all.json has no entity mapping Tag, and none from or to such an entity; it has NoteToNote"
    ),
    (
      ["mapping", "--try", "all.json", "--where", "pages > 1"], 65,
      "--where: pages > 1 cannot be evaluated for Note: entity Note has no property pages"
    ),
    (
      ["mapping", "--try", "all.json", "--source", "v1.mom"], 65,
      "v1.mom: it is not an SQLite database"
    ),
    (
      ["mapping", "--check", "all.json", "--where", "TRUEPREDICATE"], 64,
      "--entity and --where need --try FILE"
    ),
  ])
  func `what cannot be tried is refused with a reason`(
    words: [String],
    status: Int32,
    message: String
  ) throws {
    try write(#"{ "source": "Note", "destination": "Note" }"#)
    let failure = try program.failure(words)
    #expect(failure.status == status)
    #expect(failure.errors.split(separator: "\n").first == "bulkmigrate: \(message)")
    #expect(failure.output == "")
  }

  @Test func `without a predicate the pages are counted, and with one the rows`() throws {
    let made = try program(
      "fixture",
      "-q",
      "--model",
      "v1.mom",
      "--rows",
      "Note=1100000",
      "-o",
      "Many.sqlite"
    )
    #expect(made.status == 0)
    try write(#"{ "source": "Note", "destination": "Note", "filter": "title ==[c] 'none'" }"#)
    let pages = try program("mapping", "--try", "all.json", "--source", "Many.sqlite")
    #expect(pages.status == 0)
    #expect(
      pages.output.contains(
        "; stopped at its share of 1,000 pages; to look further, pass --where\n"
      )
    )
    let read = try #require(pages.output.firstMatch(of: /([0-9,]+) pages read/)?.output.1)
    let count = try #require(Int(read.replacing(",", with: "")))
    #expect((900...1_000).contains(count))
    let rows = try program(
      "evaluate",
      "Many.sqlite",
      "Note",
      "title",
      "--where",
      "title ==[c] 'none'"
    )
    #expect(
      rows.output.contains("0 objects of 1,000,000 rows shown; stopped after 1,000,000 rows\n")
    )
    let few = try program("evaluate", "Many.sqlite", "Note", "title")
    #expect(few.output.hasSuffix("\n  5 objects of 5 rows shown\n\n5 pages read\n"))
  }
}

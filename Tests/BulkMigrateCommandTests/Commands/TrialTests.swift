import BulkTestSupport
import Testing

/// `mapping try`: values, errors at their places, and what is read at most.
struct TrialTests {
  private let program: Program

  init() throws { program = try Program(.call) }

  /// Writes the entity mapping of notes, with some of its members in the fifth line.
  private func write(_ members: String) throws {
    let text = """
      { "bulkmigrate": "mapping/1",
        "source": { "store": "Notes.sqlite" }, "destination": { "model": "v2.mom" },
        "entityMappings": [
          { "source": "Note", "destination": "Note",
            \(members) } ] }
      """
    try program.write(text, to: "all.json")
  }

  /// The output of a command, with lines that it must have.
  @discardableResult
  private func output(
    of words: [String],
    endingWith status: Int32 = 0,
    has lines: String...
  ) throws -> String {
    let run = try program(words)
    #expect(run.status == status, "\(run.errors)")
    for line in lines { #expect(run.output.contains(line), "\(line) in \(run.output)") }
    return run.output
  }

  private static let first = ["mapping", "try", "all.json", "--sample", "1"]

  @Test func `objects are shown before and after, and an error hides no other value`() throws {
    try write(
      #""attributes": { "stars": "6 / ($source.title.length - 1)", "title": "uppercase:($source.title)" }"#
    )
    let before = try program.directory.bytes()
    let run = try program(Self.first, ending: 65)
    #expect(
      run.output == """
        NoteToNote: Note to Note

          Note 1
            BEFORE     PROPERTY  AFTER  BY
            title "a"  stars     error  6 / ($source.title.length - 1)
              all.json:5:33: divide:by: divides by zero
            title "a"  title     "A"    uppercase:($source.title)

          1 object of 1 row shown

        """
    )
    #expect(try program.directory.bytes() == before)
  }

  /// The value of note 1 is in a file, that of 2 is nil, and that of 3 larger than what a trial holds.
  @Test func `values in files are copied unread, and compared with nil`() throws {
    let image = AttributeDescription.external("image")
    let destination = EntityDescription("Note", [image, .optional("has", .integer16)])
    try program.write(.of(destination), to: "v2.mom")
    var store = TestStore(try .of(EntityDescription("Note", [image])))
    store.objects = (1...3).map { TestObject("Note", $0) }
    let name = "8F4F6C2A-7C9B-4A5E-8D11-6A6C9A1B2C3D"
    store.sql = [
      "UPDATE ZNOTE SET ZIMAGE = CAST(x'02' || '\(name)' || x'00' AS BLOB) WHERE Z_PK = 1",
      "UPDATE ZNOTE SET ZIMAGE = CAST(x'01' || zeroblob(40000000) AS BLOB) WHERE Z_PK = 3",
    ]
    program.remove("Notes.sqlite")
    _ = try store.write(to: program.directory.path("Notes.sqlite"))
    let test = "TERNARY(image != nil, 1, 0)"
    let tested = try program(
      "mapping",
      "try",
      "--source",
      "Notes.sqlite",
      "--entity",
      "Note",
      "--expression",
      test,
      "--json"
    )
    #expect(tested.status == 0, "\(tested.errors)")
    let objects = try tested.object()["objects"] as? [[String: Any]]
    #expect(objects?.map { $0["value"] as? Int } == [1, 0, 1])
    let words = [
      "mapping", "try", "--source", "Notes.sqlite", "--entity", "Note", "--expression", "image",
      "--where", "image != nil",
    ]
    try output(of: words + ["--sample", "1"], has: "image holds a value that lies in a file")
    try write(
      #""filter": "image != nil", "attributes": { "image": "$source.image", "has": "TERNARY($source.image != nil, 1, 0)" }"#
    )
    let note = "image holds a value that lies in a file of its own, which is copied as it is"
    try output(of: Self.first, has: note)
  }

  @Test func `expressions that are wrong are told with line and column, beside the others`() throws
  {
    try write(#""attributes": { "stars": "1 + (2", "title": "$source.titel", "stas": "1" }"#)
    try output(
      of: Self.first,
      endingWith: 65,
      has: "  read by nothing and lost: title\n",
      "  error: all.json:5:68: attribute stas: Note has no such attribute; did you mean stars?\n",
      "stars     error  1 + (2\n      all.json:5:39: found the end, expected an operator or ')'\n",
      "title     error  $source.titel\n      all.json:5:52: entity Note has no property titel; did you mean title?"
    )
  }

  @Test func `a predicate selects, a filter leaves out, and nil in a required attribute is told`()
    throws
  {
    try write(#""filter": "title != 'a'", "attributes": { "stars": "$source.title.length" }"#)
    try output(
      of: ["mapping", "try", "all.json", "--where", "title != 'b'"],
      has: "  Note 4\n",
      "    title nil  stars     nil    $source.title.length\n      it is required, and gets nil\n",
      "  1 object of 3 rows shown, 1 left out by the filter; there are no others\n"
    )
  }

  @Test func `values are whole in JSON, and a page in Markdown means what the table means`() throws
  {
    try write(
      #""attributes": { "title": "\"0123456789012345678901234567890123456789|\"" }"#
    )
    try output(
      of: Self.first + ["--json"],
      has: #""after" : "0123456789012345678901234567890123456789|""#
    )
    try output(
      of: Self.first + ["--markdown"],
      has: "## NoteToNote: Note to Note\n\nread by nothing and lost: title\n\n### Note 1\n\n",
      "| --- | --- | --- | --- |\n|  | stars | 3 | the model's default value |\n",
      #"|  | title | "012345678901234567890123456789… | "0123456789012345678901234567890123456789\|" |"#
    )
  }

  @Test func `a policy is named, and not run`() throws {
    try write(
      #""policy": "Maker", "attributes": { "stars": "FUNCTION($entityPolicy, \"starsOf:\", $source.title)" }"#
    )
    try output(
      of: Self.first,
      has: "  its objects are made by the policy Maker, which is not run here; these are",
      "      made by starsOf: of the policy Maker, which is not run here\n"
    )
  }

  @Test func `an expression is shown with its type, and its error at the object`() throws {
    try output(
      of: [
        "mapping", "try", "--source", "Notes.sqlite", "--entity", "Note", "--expression",
        "6 / (title.length - 1)",
      ],
      endingWith: 65,
      has: "6 / (title.length - 1): an integer\n",
      "    Note 2  error\n      divide:by: divides by zero\n    Note 4  nil    nil\n",
      "  3 objects of 3 rows shown; there are no others\n"
    )
    try output(
      of: [
        "mapping", "try", "--source", "Notes.sqlite", "--entity", "Note", "--expression",
        "uppercase:(title)", "--json",
      ],
      has: #""value" : "A""#,
      #""value" : null"#
    )
  }

  /// A run copies it, too.
  @Test func `a value that its type excludes is told, and copied as a run copies it`() throws {
    try StoreFile(program.directory.path("Notes.sqlite")).execute(
      "UPDATE ZNOTE SET ZTITLE = x'00' WHERE Z_PK = 1"
    )
    try output(
      of: "mapping try --source Notes.sqlite --entity Note --expression title --sample 1".words,
      has: "    Note 1  title holds a BLOB  binary\n"
    )
    try write(#""attributes": {}"#)
    try output(of: Self.first, has: "      title holds a BLOB, which is copied as it is\n")
  }

  /// The exit code, what is tried and the message; `NOTES` names the store and the entity of an expression.
  private static let refusals = """
    64 | try NOTES 1+ | --expression: 1:3: found the end, expected a value
    65 | try NOTES titel | the expression titel cannot be evaluated for Note: entity Note has no property titel; did you mean title?
    65 | try --source Notes.sqlite --entity Nte --expression title | the model of Notes.sqlite has no entity Nte; did you mean Note?
    66 | try --source none.sqlite --entity Note --expression title | none.sqlite: no such file
    65 | try --source v1.mom --entity Note --expression title | v1.mom: it is not an SQLite database
    65 | try NOTES title --where titel==1 | --where: titel == 1 cannot be evaluated for Note: entity Note has no property titel; did you mean title?
    64 | try NOTES title --where title= | --where: 1:7: found the end, expected a value
    64 | try NOTES title --sample 0 | --sample: '0' is not a number from 1 to 1000
    66 | try none.json | the mapping none.json cannot be read: the file does not exist
    64 | try all.json --entity Tag | all.json has no entity mapping Tag, and none from or to such an entity; it has NoteToNote
    65 | try all.json --where pages>1 | --where: pages > 1 cannot be evaluated for Note: entity Note has no property pages
    65 | try all.json --source v1.mom | v1.mom: it is not an SQLite database
    64 | check all.json --where TRUEPREDICATE | unknown option --where
    """

  @Test func `what cannot be tried is refused with a reason`() throws {
    try write(#""attributes": {}"#)
    for line in Self.refusals.split(separator: "\n") {
      let parts = line.components(separatedBy: " | ")
      let notes = "--source Notes.sqlite --entity Note --expression"
      let failure = try program(["mapping"] + parts[1].replacing("NOTES", with: notes).words)
      #expect(failure.status == Int32(parts[0]), "\(line)")
      #expect(failure.errors.split(separator: "\n").first == "bulkmigrate: \(parts[2])")
      #expect(failure.output == "")
    }
  }
}

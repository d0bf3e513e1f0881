import BulkTestSupport
import Testing

/// What a photo app does at once, over 20,000 objects.
///
/// Pictures, some in external files, become objects of their own; equal tags become one keyword; the ordered relationship
/// of albums gets another name; notes go. The new model has a derived attribute and an R-tree.
@Suite("A photo journal", .program)
struct PhotoJournalTests {
  private let program: Program
  private var source: StoreFile { StoreFile(program.directory.path("Journal.sqlite")) }
  private var made: StoreFile { StoreFile(program.directory.path("Made.sqlite")) }

  init() throws {
    program = try Program()
    try program.write(Self.before(), to: "A.mom")
    try program.write(Self.after(), to: "B.mom")
    try program.write(Self.mapping, to: "journal.json")
    try program(
      ["fixture", "-q", "--model", "A.mom", "--rows", "Album=400,Photo=16600,Tag=3000", "--output"]
        + "Journal.sqlite --bytes Photo.image=20-3000 --nil Photo.image=40%".words
        + "--external Photo.image=20% --links Photo.tags=2".words,
      ending: 0
    )
    try source.execute(
      """
      UPDATE ZPHOTO SET ZTITLE = 'photo ' || Z_PK;
      UPDATE ZALBUM SET ZTITLE = 'album ' || Z_PK;
      UPDATE ZTAG SET ZWORD = 'word ' || (Z_PK % 700);
      """
    )
  }

  /// The number in the only row of a query.
  private func count(_ store: StoreFile, _ sql: String) throws -> Int64 {
    guard case .integer(let number)? = try store.rows("SELECT \(sql)").first?.first else {
      return -1
    }
    return number
  }

  private func files(of name: String) throws -> [String: [UInt8]] {
    try Files.contents(of: program.directory.path(".\(name)_SUPPORT/_EXTERNAL_DATA"))
  }

  @Test func `is killed, resumed and verified, and the account balances`() throws {
    try program("plan -q --mapping journal.json --max-loss none".words, ending: 65)
    // What is lost are the notes, as SQLite counts them.
    let notes = try count(source, "count(ZNOTE) FROM ZPHOTO")
    #expect(notes > 10_000)
    try program("plan", "-q", "--mapping", "journal.json", "--max-loss", "\(notes)", ending: 0)
    let limit = ["--max-loss", "\(notes - 1)"]
    #expect(try program(["run", "-q"] + limit).status == 65)
    try program("run", "-q", "--max-loss", "\(notes)", ending: 0)
    let bytes = try Files.read(made.path)
    program.remove("Made.sqlite", ".Made_SUPPORT")
    // Killed twice while rows and what follows from them are written, and once more soon after.
    let run = ["run", "-q", "--resume-if-started", "--max-loss", "\(notes)"]
    for failpoint in ["commit:7", "commit:7", "step:40"] {
      try durably(run, failpoint: failpoint).ending(-9, failpoint)
    }
    try durably(run).ending(0)
    #expect(try Files.read(made.path) == bytes)
    try program("verify", "--level", "full", ending: 0)
    try compareObjects()
    try comparePictures()
  }

  /// Runs the program, with a durable step for every 1,000 rows.
  private func durably(_ words: [String], failpoint: String? = nil) throws -> ProcessRun {
    var environment = ["BULKMIGRATE_BATCH_ROWS": "1000"]
    environment["BULKMIGRATE_FAILPOINT"] = failpoint
    return try program(words, environment: environment)
  }

  private func compareObjects() throws {
    // The names that Core Data gives: entities Album 1, Keyword 2, Photo 3, Picture 4.
    #expect(try Set(made.columns(of: "Z_2PHOTOS")) == ["Z_2KEYWORDS", "Z_3PHOTOS"])
    #expect(try count(made, "count(*) FROM ZPHOTO") == 16_600)
    #expect(try count(made, "count(*) FROM ZALBUM") == 400)
    #expect(try count(made, "count(*) FROM ZKEYWORD") == 700)
    #expect(try count(made, "count(DISTINCT ZWORD) FROM ZKEYWORD") == 700)
    let pairs = "SELECT DISTINCT p.ZTITLE, t.ZWORD FROM "
    #expect(
      try made.rows(
        pairs
          + "Z_2PHOTOS JOIN ZPHOTO p ON p.Z_PK = Z_3PHOTOS JOIN ZKEYWORD t ON t.Z_PK = Z_2KEYWORDS ORDER BY 1, 2"
      )
        == source.rows(
          pairs
            + "Z_2TAGS JOIN ZPHOTO p ON p.Z_PK = Z_2PHOTOS JOIN ZTAG t ON t.Z_PK = Z_3TAGS ORDER BY 1, 2"
        )
    )
    // Photos of an album in their order, the values beside.
    let ordered =
      "SELECT a.ZTITLE, p.ZTITLE, p.ZTAKEN, p.ZLATITUDE FROM ZPHOTO p LEFT JOIN ZALBUM a ON a.Z_PK = p.ZALBUM "
      + "ORDER BY a.ZTITLE, p.Z_FOK_ALBUM, p.ZTITLE"
    #expect(try made.rows(ordered) == source.rows(ordered))
    #expect(
      try count(
        made,
        "count(*) FROM ZALBUM a WHERE ZPAGECOUNT IS NOT (SELECT count(*) FROM ZPHOTO WHERE ZALBUM = a.Z_PK)"
      )
        == 0
    )
    #expect(
      try count(made, "count(*) FROM Z_Photo_byPlace")
        == count(
          source,
          "count(*) FROM ZPHOTO WHERE ZLATITUDE IS NOT NULL AND ZLONGITUDE IS NOT NULL"
        )
    )
  }

  private func comparePictures() throws {
    #expect(
      try made.rows(
        "SELECT p.ZTITLE, i.ZIMAGE FROM ZPICTURE i JOIN ZPHOTO p ON p.Z_PK = i.ZPHOTO AND p.ZPICTURE = i.Z_PK ORDER BY 1"
      )
        == source.rows("SELECT ZTITLE, ZIMAGE FROM ZPHOTO WHERE ZIMAGE IS NOT NULL ORDER BY 1")
    )
    let files = try files(of: "Journal")
    #expect(
      try count(source, "count(*) FROM ZPHOTO WHERE substr(ZIMAGE, 1, 1) = x'02'")
        == Int64(files.count)
    )
    #expect(files.count > 1_000)
    #expect(try self.files(of: "Made") == files)
    #expect(try count(source, "count(ZIMAGE) FROM ZPHOTO") == count(made, "count(*) FROM ZPICTURE"))
  }

  // MARK: Models and mapping

  private static func photo(
    _ attributes: [AttributeDescription],
    _ relationships: [RelationshipDescription]
  ) -> EntityDescription {
    let own: [AttributeDescription] = [
      .optional("title"), .optional("taken", .date), .optional("latitude", .double),
      .optional("longitude", .double),
    ]
    return EntityDescription("Photo", own + attributes, relationships)
  }

  private static func before() throws -> ManagedObjectModel {
    try .of(
      .init("Album", [.optional("title")], [.toMany("photos", "Photo.album", isOrdered: true)]),
      photo(
        [.external("image"), .optional("note")],
        [.toOne("album", "Album.photos"), .toMany("tags", "Tag.photos")]
      ),
      .init("Tag", [.optional("word")], [.toMany("photos", "Photo.tags")])
    )
  }

  private static func after() throws -> ManagedObjectModel {
    let count = try ValueExpression(format: "pages.@count")
    var photo = photo(
      [],
      [
        .toOne("album", "Album.pages"),
        .toMany("keywords", "Keyword.photos"),
        .toOne("picture", "Picture.photo"),
      ]
    )
    let place = ["latitude", "longitude"].map {
      FetchIndexDescription.Element(.property($0), kind: .rTree)
    }
    photo.indexes = [FetchIndexDescription("byPlace", elements: place)]
    return try .of(
      .init(
        "Album",
        [.optional("title"), .derived("pageCount", .integer64, count)],
        [.toMany("pages", "Photo.album", isOrdered: true, id: "photos")]
      ),
      photo,
      .init("Keyword", [.optional("word")], [.toMany("photos", "Photo.keywords")]),
      .init("Picture", [.external("image")], [.toOne("photo", "Photo.picture")])
    )
  }

  private static func made(by mapping: String, _ source: String) -> String {
    "FUNCTION($manager, \\\"destinationInstancesForEntityMappingNamed:sourceInstances:\\\", \\\"\(mapping)\\\", \(source))"
  }

  private static let mapping = """
    {
      "bulkmigrate": "mapping/1",
      "source": { "store": "Journal.sqlite", "model": "A.mom" },
      "destination": { "store": "Made.sqlite", "model": "B.mom" },
      "infer": "none",
      "entityMappings": [
        { "source": "Album", "destination": "Album", "attributes": { "title": "$source.title" },
          "relationships": { "pages": "\(made(by: "PhotoToPhoto", "$source.photos"))" } },
        { "source": "Photo", "destination": "Photo",
          "attributes": { "title": "$source.title", "taken": "$source.taken", "latitude": "$source.latitude",
            "longitude": "$source.longitude" },
          "relationships": { "keywords": "\(made(by: "TagToKeyword", "$source.tags"))" } },
        { "source": "Photo", "destination": "Picture", "filter": "image != nil",
          "attributes": { "image": "$source.image" },
          "relationships": { "photo": "\(made(by: "PhotoToPhoto", "$source"))" } },
        { "source": "Tag", "destination": "Keyword", "unique": ["word"], "keep": "first",
          "attributes": { "word": "$source.word" } }
      ]
    }
    """
}

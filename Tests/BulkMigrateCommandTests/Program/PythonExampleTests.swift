import BulkTestSupport
import Foundation
import Testing

/// The policies of the examples as Python programs.
@Suite(
  "Policies in Python",
  .enabled(if: Program.path != nil && Python.isPresent, "needs the built program and python3")
)
struct PythonExampleTests {
  private let directory: TemporaryDirectory

  private static let project = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  init() throws { directory = try TemporaryDirectory() }

  /// A folder with a copy of an example.
  private func copy(_ example: String) throws -> String {
    let folder = directory.path("example")
    try FileManager.default.copyItem(
      atPath: Self.project.appendingPathComponent(example).path,
      toPath: folder
    )
    return folder
  }

  private func run(_ words: [String], in folder: String) throws -> ProcessRun {
    try ProcessRun(
      Program.path ?? "/nowhere",
      words,
      in: folder,
      environment: Program.environment
    )
  }

  /// Makes a store, changes it, and migrates it.
  private func migrate(
    _ folder: String,
    model: String,
    rows: [String],
    store: String,
    change: String,
    mapping: String,
    policy: String
  ) throws -> ProcessRun {
    let made = try run(
      ["fixture", "-q", "--model", model, "--output", store] + rows.flatMap { ["--rows", $0] },
      in: folder
    )
    try #require(made.status == 0, "\(made.errors)")
    try StoreFile(folder + "/" + store).execute(change)
    let planned = try run(["plan", "-q", "--mapping", mapping, "--policy", policy], in: folder)
    try #require(planned.status == 0, "\(planned.errors)")
    return try run(
      ["run", "-q", "--max-loss", "all", "--on-error", "quarantine", "--policy", policy],
      in: folder
    )
  }

  @Test func `persons share addresses, and those without a part of one have none`() throws {
    let folder = try copy("Plans/examples/e4-addresses")
    let policy = "Examples.PersonToPersonPolicy=python3 person_to_person.py"
    let done = try migrate(
      folder,
      model: "Source.xcdatamodel",
      rows: ["Person=4"],
      store: "People.sqlite",
      change: """
        UPDATE ZPERSON SET ZSTREET = 'Long Lane', ZZIP = NULL, ZCITY = CASE WHEN Z_PK < 3 THEN 'Ulm' ELSE 'Bonn' END;
        UPDATE ZPERSON SET ZSTREET = NULL, ZCITY = NULL WHERE Z_PK = 4
        """,
      mapping: "policy.json",
      policy: policy
    )
    #expect(done.status == 0, "\(done.errors)")
    #expect(
      try StoreFile(folder + "/People-v2.sqlite").rows(
        "SELECT p.Z_PK, a.ZCITY FROM ZPERSON AS p LEFT JOIN ZADDRESS AS a ON a.Z_PK = p.ZADDRESS ORDER BY 1"
      ) == [[1, "Ulm"], [2, "Ulm"], [3, "Bonn"], [4, nil]]
    )
    let verified = try run(["verify", "--level", "full", "--policy", policy], in: folder)
    #expect(verified.status == 0, "\(verified.output)")
  }

  @Test func `colours become texts, and bytes that are none are left out with the reason`() throws {
    let folder = try copy("Plans/examples/e7-colors")
    let done = try migrate(
      folder,
      model: "Source.xcdatamodel",
      rows: ["Swatch=3"],
      store: "Swatches.sqlite",
      change: """
        UPDATE ZSWATCH SET ZCOLOR = CASE Z_PK WHEN 1 THEN x'FF8000' WHEN 2 THEN x'00' END
        """,
      mapping: "policy.json",
      policy: "Examples.ColorPolicy=python3 color.py"
    )
    #expect(done.status == 3, "\(done.errors)")
    #expect(
      try StoreFile(folder + "/Swatches-v2.sqlite").rows("SELECT Z_PK, ZCOLOR FROM ZSWATCH") == [
        [1, "#ff8000"], [3, nil],
      ]
    )
    let rejected = try run(["rejects", "show", "Swatch"], in: folder)
    #expect(rejected.output.contains("a colour has 3 bytes, not 1"), "\(rejected.output)")
  }

  @Test func `attachments get the size of their image and the beginning of their note`() throws {
    let folder = try copy("Plans/uncloudnotes")
    // The head of a PNG of 640 times 480 pixels.
    let image = "89504E470D0A1A0A0000000D4948445200000280000001E0"
    let done = try migrate(
      folder,
      model: "UnCloudNotesDataModel.xcdatamodeld/UnCloudNotesDataModel v3.xcdatamodel",
      rows: ["Note=1", "Attachment=2"],
      store: "UnCloudNotesDataModel-v3.sqlite",
      change: """
        UPDATE ZATTACHMENT SET ZIMAGE = CASE Z_PK WHEN 1 THEN x'\(image)' ELSE x'00' END, ZNOTE = 1;
        UPDATE ZNOTE SET ZBODY = '\(String(repeating: "a", count: 79))🌧 and more'
        """,
      mapping: "v3-to-v4.json",
      policy: "AttachmentToImageAttachmentMigrationPolicyV3toV4=python3 image_attachment.py"
    )
    #expect(done.status == 0, "\(done.errors)")
    // The last character has two UTF-16 units, of which the limit would leave one.
    let caption = String(repeating: "a", count: 79)
    let found = try StoreFile(folder + "/UnCloudNotesDataModel-v4.sqlite").rows(
      "SELECT Z_PK, CAST(ZWIDTH AS INTEGER), ZCAPTION FROM ZATTACHMENT ORDER BY 1"
    )
    #expect(found.map { $0[0] } == [1, 2])
    #expect(found[0][1] == 640)
    #expect(found.map { $0[2] } == [.text(caption), .text(caption)])
  }
}

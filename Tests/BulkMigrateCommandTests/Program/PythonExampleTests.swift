import BulkTestSupport
import Testing

/// The policies of the examples as Python programs; that of addresses is run by the manual.
@Suite(
  "Policies in Python",
  .enabled(if: Program.path != nil && Python.isPresent, "needs the built program and python3")
)
struct PythonExampleTests {
  private let directory = TemporaryDirectory()
  private var folder: String { directory.path("example") }

  private func run(_ words: [String]) throws -> ProcessRun {
    try ProcessRun(Program.path ?? "/nowhere", words, in: folder, environment: Program.environment)
  }

  /// Copies an example, makes a store for it, changes that, and migrates it.
  private func migrate(
    _ example: String,
    model: String,
    rows: String,
    store: String,
    change: String,
    mapping: String,
    policy: String
  ) throws -> ProcessRun {
    try FileManager.default.copyItem(atPath: "\(Program.plans)/\(example)", toPath: folder)
    try run(["fixture", "-q", "--model", model, "--rows", rows, "--output", store]).ending(0)
    try StoreFile(folder + "/" + store).execute(change)
    try run(["plan", "-q", "--mapping", mapping, "--policy", policy]).ending(0)
    return try run(
      ["run", "-q", "--max-loss", "all", "--on-error", "quarantine", "--policy", policy]
    )
  }

  @Test func `colors become texts, and bytes that are none are left out with the reason`() throws {
    try migrate(
      "examples/e7-colors",
      model: "Source.xcdatamodel",
      rows: "Swatch=3",
      store: "Swatches.sqlite",
      change: """
        UPDATE ZSWATCH SET ZCOLOR = CASE Z_PK WHEN 1 THEN x'FF8000' WHEN 2 THEN x'00' END
        """,
      mapping: "policy.json",
      policy: "Examples.ColorPolicy=python3 color.py"
    ).ending(3)
    #expect(
      try StoreFile(folder + "/Swatches-v2.sqlite").rows("SELECT Z_PK, ZCOLOR FROM ZSWATCH") == [
        [1, "#ff8000"], [3, nil],
      ]
    )
    let rejected = try run(["rejects", "show", "Swatch"])
    #expect(rejected.output.contains("a color has 3 bytes, not 1"), "\(rejected.output)")
  }

  @Test func `attachments get the size of their image and the beginning of their note`() throws {
    // The head of a PNG of 640 times 480 pixels.
    let image = "89504E470D0A1A0A0000000D4948445200000280000001E0"
    let caption = String(repeating: "a", count: 79)
    try migrate(
      "uncloudnotes",
      model: "UnCloudNotesDataModel.xcdatamodeld/UnCloudNotesDataModel v3.xcdatamodel",
      rows: "Note=1,Attachment=2",
      store: "UnCloudNotesDataModel-v3.sqlite",
      change: """
        UPDATE ZATTACHMENT SET ZIMAGE = CASE Z_PK WHEN 1 THEN x'\(image)' ELSE x'00' END, ZNOTE = 1;
        UPDATE ZNOTE SET ZBODY = '\(caption)🌧 and more'
        """,
      mapping: "v3-to-v4.json",
      policy: "AttachmentToImageAttachmentMigrationPolicyV3toV4=python3 image_attachment.py"
    ).ending(0)
    // The last character has two UTF-16 units, of which the limit would leave one.
    let found = try StoreFile(folder + "/UnCloudNotesDataModel-v4.sqlite").rows(
      "SELECT Z_PK, ZCAPTION, iif(Z_PK = 1, CAST(ZWIDTH AS INTEGER), 640) FROM ZATTACHMENT ORDER BY 1"
    )
    #expect(found == [[1, .text(caption), 640], [2, .text(caption), 640]])
  }
}

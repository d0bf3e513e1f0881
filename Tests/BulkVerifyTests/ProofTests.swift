import BulkTestSupport
import BulkMigrate
import Testing

struct ProofTests {
  private let migrated: MigratedNotes

  init() throws { migrated = try MigratedNotes() }

  private func proof() throws -> Proof {
    let verification = migrated.verification(.full)
    return try verification.proof(of: try verification.run())
  }

  private func compared(with proof: Proof) throws -> [String] {
    let verification = migrated.verification(.quick)
    return try verification.compare(try verification.run(), against: proof).sentences
  }

  @Test func `a proof holds the rows of every table, and survives its file`() throws {
    let proof = try proof()
    #expect(
      proof.tables.map(\.table) == ["ZFOLDER", "ZNOTE", "ZTAG", "Z_2TAGS", "external values"]
    )
    #expect(proof.tables.map(\.rows) == [2, 20, 5, 40, 1])
    #expect(proof.rowsCompared == 67)
    let path = migrated.directory.path("proof.json")
    try JSONEncoder().encode(proof).write(to: URL(fileURLWithPath: path))
    #expect(try Proof(contentsOf: path) == proof)
  }

  @Test func `the same rows pass, however the file lies on the disk`() throws {
    let proof = try proof()
    try migrated.destination.execute("VACUUM")
    #expect(try compared(with: proof) == [])
  }

  @Test(
    arguments: [
      ("UPDATE ZTAG SET ZNAME = 'TAG X' WHERE Z_PK = 3", "ZTAG, rows: expected 5 rows with"),
      ("DELETE FROM Z_2TAGS WHERE Z_2NOTES = 5", "Z_2TAGS, rows: expected 40 rows with"),
      (
        "UPDATE ZNOTE SET ZDATA = CAST(x'08' || substr(ZDATA, 2) AS BLOB) WHERE Z_PK = 7",
        "ZNOTE, rows: expected 20 rows with"
      ),
      ("UPDATE Z_METADATA SET Z_UUID = 'x'", "proof, Z_UUID: expected "),
      ("UPDATE ZNOTE SET ZRANK = ZSTARS, ZSTARS = ZRANK", "ZNOTE, rows: expected 20 rows with"),
    ] as [(String, String)]
  )
  func `a change is found`(sql: String, beginning: String) throws {
    let proof = try proof()
    try migrated.destination.execute(sql)
    let found = try compared(with: proof)
    #expect(found.count == 1)
    #expect(found[0].hasPrefix(beginning), "\(found)")
  }

  @Test func `an external file that was cut is found`() throws {
    let proof = try proof()
    try Files.write([], to: "\(migrated.destination.externalValues)/\(MigratedNotes.image)")
    let found = try compared(with: proof)
    #expect(found.count == 1)
    #expect(found[0].hasPrefix("external values, rows: expected 1 rows with the sum "), "\(found)")
  }

  @Test func `a table that was not there is found`() throws {
    var proof = try proof()
    let tags = try #require(proof.tables.first { $0.table == "ZTAG" })
    proof.tables.removeAll { $0 == tags }
    #expect(
      try compared(with: proof)
        == ["ZTAG, rows: found 5 rows with the sum \(tags.sum), expected nothing"]
    )
  }

  @Test(
    arguments: [
      ("no.json", nil, true), ("bad.json", "{}", false), ("worse.json", "[", false),
    ] as [(String, String?, Bool)]
  )
  func `what is not a proof is refused`(name: String, text: String?, isMissing: Bool) throws {
    let path = migrated.directory.path(name)
    try text?.write(toFile: path, atomically: true, encoding: .utf8)
    let error = #expect(throws: ProofError.self) { try Proof(contentsOf: path) }
    #expect(error?.isMissing == isMissing)
    #expect(error?.description.hasPrefix(path) == true)
  }
}

import BulkTestSupport
import Testing

/// Real mapping models on the stores that lie beside them.
@Suite(
  "Real stores by real mapping models",
  .enabled(if: SharedData.isPresent, "skips because ../shared/data is not there")
)
struct RealStoreTests {
  private static func migrate(
    _ store: String,
    by path: String,
    policies: PolicyRegistry = PolicyRegistry()
  ) throws -> StoreFile {
    let mapping = RealMapping(path: path)
    let (source, destination) = try mapping.models()
    return try RealMigration(store: store, source, to: destination)
      .run(by: SharedData.path(path), policies: policies)
  }

  /// A store of the shared data, copied to be read with SQL.
  private static func copy(_ store: String) throws -> StoreFile {
    let directory = TemporaryDirectory()
    try SharedData.copy(store, to: directory.path("copy.sqlite"))
    return StoreFile(directory.path("copy.sqlite"), keeping: directory)
  }

  /// Both stores hold the same moods, identified by `remoteID`, and the same regions, identified by
  /// their ISO codes; Core Data gave them new keys.
  @Test func `moods become what the application's own migration made of them`() throws {
    let made = try Self.migrate(
      "moody/Moody 2.moody",
      by: "moody/Moody 2-Moody 3.xcmappingmodel"
    )
    let expected = try Self.copy("moody/Moody 3.moody")
    let moods =
      "SELECT m.ZREMOTEID, m.Z_ENT, m.ZDATE, m.ZLATITUDE, m.ZLONGITUDE, m.ZRATING, m.ZCREATORID, "
      + "m.ZMARKEDFORREMOTEDELETION, m.ZMARKEDFORDELETIONDATE, m.ZCOLORS, "
      + "c.ZNUMERICISO3166CODE, k.ZNUMERICISO3166CODE FROM ZMOOD m "
      + "LEFT JOIN ZGEOGRAPHICREGION c ON c.Z_PK = m.ZCOUNTRY "
      + "LEFT JOIN ZGEOGRAPHICREGION k ON k.Z_PK = m.ZCONTINENT ORDER BY 1"
    let expectedMoods = try expected.rows(moods)
    #expect(expectedMoods.count == 4)
    #expect(try made.rows(moods) == expectedMoods)
    let regions =
      "SELECT r.ZNUMERICISO3166CODE, r.Z_ENT, r.ZNUMBEROFMOODS, r.ZNUMBEROFCOUNTRIES, "
      + "r.ZUNIQUENESSDUMMY, r.ZUPDATEDAT, r.ZMARKEDFORDELETIONDATE, k.ZNUMERICISO3166CODE "
      + "FROM ZGEOGRAPHICREGION r LEFT JOIN ZGEOGRAPHICREGION k ON k.Z_PK = r.ZCONTINENT ORDER BY 1"
    let expectedRegions = try expected.rows(regions)
    #expect(expectedRegions.count == 5)
    #expect(try made.rows(regions) == expectedRegions)
  }

  @Test func `colors of posts become hexadecimal ones by another name`() throws {
    let made = try Self.migrate(
      "wibosco/CoreDataMigration_Example_1.sqlite",
      by: "wibosco/Migration1to2.xcmappingmodel"
    )
    let source = try Self.copy("wibosco/CoreDataMigration_Example_1.sqlite")
    #expect(try made.rows("SELECT count(*), count(ZHEXCOLOR) FROM ZPOST") == [[1_001, 1_001]])
    #expect(
      try made.rows(of: "ZPOST", "Z_PK", "ZPOSTID", "ZDATE", "ZHEXCOLOR")
        == source.rows(of: "ZPOST", "Z_PK", "ZPOSTID", "ZDATE", "ZCOLOR")
    )
  }

  private static let records =
    "r.Z_PK, ZPENDINGMESSAGEID, ZBODY, ZSENDER, ZPRIORITY, ZPENDINGSTATE, ZSEENBYUSER, ZHIDDEN, "
    + "ZCREATIONTIME, ZCLIENTCREATIONTIME, ZAPPTENTIVEID, ZLABEL, ZPENDINGEVENTID, ZDICTIONARYDATA, "
    + "ZCUSTOMDATA FROM ZATRECORD r JOIN Z_PRIMARYKEY p ON p.Z_ENT = r.Z_ENT"

  /// Texts and automated messages become messages; the display types go.
  @Test func `three kinds of messages become one`() throws {
    let store = "apptentive/ATDataModelv4.sqlite"
    let made = try Self.migrate(store, by: "mappings/017/ATDataModel v4 to v5.xcmappingmodel")
    let source = try Self.copy(store)
    #expect(
      try made.rows(
        "SELECT r.Z_PK, Z_NAME, ZAUTOMATED, ZTITLE FROM ZATRECORD r "
          + "JOIN Z_PRIMARYKEY p ON p.Z_ENT = r.Z_ENT ORDER BY 1"
      ) == [
        [1, "ATMessage", 0, nil], [2, "ATMessage", 0, nil], [3, "ATMessage", 0, nil],
        [4, "ATMessage", 1, "We're Sorry!"], [11, "ATEvent", nil, nil], [12, "ATEvent", nil, nil],
        [13, "ATEvent", nil, nil], [14, "ATEvent", nil, nil], [15, "ATEvent", nil, nil],
        [16, "ATMessage", 1, "We're Sorry!"], [17, "ATEvent", nil, nil], [18, "ATEvent", nil, nil],
      ]
    )
    let all = "SELECT \(Self.records) ORDER BY 1"
    #expect(try made.rows(all) == source.rows(all))
    let senders =
      "SELECT Z_PK, ZAPPTENTIVEID, ZEMAILADDRESS, ZNAME, ZPROFILEPHOTOURL FROM ZATMESSAGESENDER"
    #expect(try made.rows(senders) == source.rows(senders))
    #expect(try made.rows("SELECT count(*) FROM ZATMESSAGESENDER") == [[2]])
    #expect(try made.rows("SELECT count(*) FROM ZATFILEATTACHMENT") == [[0]])
    #expect(
      try made.tables() == [
        "ZATFILEATTACHMENT", "ZATMESSAGESENDER", "ZATRECORD", "Z_METADATA", "Z_MODELCACHE",
        "Z_PRIMARYKEY",
      ]
    )
  }

  @Test(arguments: ["018", "019"])
  func `records and attachments stay when entities are added`(folder: String) throws {
    let store = "apptentive/ATDataModelv5.sqlite"
    let made = try Self.migrate(
      store,
      by: "mappings/\(folder)/ATDataModel v5 to v6.xcmappingmodel"
    )
    let source = try Self.copy(store)
    let all = "SELECT Z_NAME, \(Self.records) ORDER BY 2"
    #expect(try made.rows(all) == source.rows(all))
    let attachments =
      "SELECT Z_PK, ZMESSAGE, ZLOCALPATH, ZMIMETYPE, ZNAME, ZREMOTEURL FROM ZATFILEATTACHMENT "
      + "ORDER BY ZMESSAGE, Z_FOK_MESSAGE"
    #expect(try made.rows(attachments) == source.rows(attachments))
    #expect(
      try made.rows("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_MAX > 0 ORDER BY Z_ENT")
        == [["ATFileAttachment", 6], ["ATMessageSender", 2], ["ATRecord", 179]]
    )
  }

  @Test func `makers of cars become objects`() throws {
    let made = try Self.migrate(
      "core-data-plus/SampleModel_V2.sqlite",
      by: "core-data-plus/V2toV3.xcmappingmodel",
      policies: PolicyRegistry(["V2to3MakerPolicy": MakerPolicy()])
    )
    let source = try Self.copy("core-data-plus/SampleModel_V2.sqlite")
    #expect(
      try made.rows("SELECT ZNAME FROM ZMAKER ORDER BY 1") == [
        ["Alfa Romeo"], ["BMW"], ["FIAT"], ["Kia"], ["Lamborghini"], ["Maserati"], ["McLaren"],
        ["Mercedes-Benz"], ["Renault"], ["Volkswagen"],
      ]
    )
    #expect(
      try made.rows(
        "SELECT c.Z_PK, c.ZNUMBERPLATE, c.ZMODEL, c.ZOWNER, m.ZNAME FROM ZCAR c "
          + "LEFT JOIN ZMAKER m ON m.Z_PK = c.ZCREATEDBY ORDER BY 1"
      )
        == source.rows("SELECT Z_PK, ZNUMBERPLATE, ZMODEL, ZOWNER, ZMAKER FROM ZCAR ORDER BY 1")
    )
  }
}

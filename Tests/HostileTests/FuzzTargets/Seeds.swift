import BulkSupport
import BulkModel
import BulkPlan
import BulkSQLite
import BulkStore
import Foundation

/// Small sound inputs to begin with, made by the project itself.
enum Seeds {
  /// A model with a bit of everything.
  static let model = ModelText().model

  /// Writes a folder of seeds for every target.
  static func write(to folder: String, models: [String]) throws {
    let archive = CompiledModelWriter.archive(of: model)
    let store = folder + "/store/small.sqlite"
    for target in FuzzTarget.allCases {
      try FileManager.default.createDirectory(
        atPath: folder + "/" + target.rawValue,
        withIntermediateDirectories: true
      )
    }
    func put(_ bytes: [UInt8], _ path: String) throws {
      try Data(bytes).write(to: URL(fileURLWithPath: folder + "/" + path))
    }
    for (number, path) in models.enumerated() {
      let text = try Array(Data(contentsOf: URL(fileURLWithPath: path)))
      try put(text, "model/source\(number).xml")
      let compiled = CompiledModelWriter.archive(of: try ManagedObjectModel(contentsOf: path))
      try put(compiled, "archive/compiled\(number).mom")
      try put(RawDeflate.deflate(compiled), "cache/packed\(number)")
    }
    try put(Array(ModelText.xml.utf8), "model/all.xml")
    try put(archive, "archive/all.mom")
    try put(archive, "model/all.mom")
    try put(ModelCache.bytes(of: model), "cache/all")
    let metadata = metadata()
    try put(metadata.propertyListBytes, "metadata/binary.plist")
    try put(metadata.propertyListBytes, "plist/binary.plist")
    try put(Array(Self.xmlList.utf8), "plist/xml.plist")
    try put(Array(Self.xmlList.utf8), "metadata/xml.plist")
    try put(Array(Self.oldList.utf8), "plist/old.plist")
    try makeStore(store, metadata: metadata)
    try put(Array(MappingSeeds.json.utf8), "mapping/mapping.json")
    try put(Array(MappingSeeds.xml.utf8), "xcmapping/xcmapping.xml")
    try put(MappingSeeds.cdm, "cdm/mapping.cdm")
    var request = PlanRequest()
    request.source = store
    request.destination = "/nowhere/destination.sqlite"
    request.rebuilds = true
    var plan = try Planner.plan(request)
    plan.source.store = "/nowhere/source.sqlite"
    plan.source.model.path = "/nowhere/source.sqlite"
    plan.destination.model.path = "/nowhere/source.sqlite"
    plan.fingerprint = plan.computedFingerprint
    try put([UInt8](plan.encoded()), "plan/plan.json")
    for number in 0..<64 as Range<UInt64> {
      let bytes = scattered(number)
      try put(bytes, "pages/\(number)")
      try put(bytes, "copies/\(number)")
    }
    try put(RawDeflate.deflate(Array(Self.xmlList.utf8)), "deflate/packed")
    for (target, texts) in [
      ("expression", Self.expressions), ("pattern", Self.patterns), ("folding", Self.foldings),
    ] {
      for (number, text) in texts.enumerated() { try put(Array(text.utf8), "\(target)/\(number)") }
    }
  }

  /// Bytes that follow no rule, and are the same every time.
  private static func scattered(_ number: UInt64) -> [UInt8] {
    var state = number &* 0x9E37_79B9_7F4A_7C15 &+ 1
    return (0..<(64 << (number % 6))).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 33)
    }
  }

  private static func metadata() -> StoreMetadata {
    let entries: [String: PropertyList] = [
      "NSPersistenceFrameworkVersion": .integer(1345), "NSStoreType": .string("SQLite"),
      "NSStoreModelVersionChecksumKey": .string(""), "ours": .array([.real(0.5), .date(1), .null]),
    ]
    return StoreMetadata(uuid: "8F2C8D3E-0000-4000-8000-000000000001", entries: entries)
      .migrated(to: model, hashes: model.entityVersionHashesByName)
  }

  private static func makeStore(_ path: String, metadata: StoreMetadata) throws {
    try? FileManager.default.removeItem(atPath: path)
    let connection = try Connection(path: path, access: .readWrite)
    try connection.execute("PRAGMA page_size = 512")
    let schema = StoreSchema(model)
    for table in schema.entityTables { try connection.execute(SchemaSQL.create(table)) }
    for table in schema.joinTables { try connection.execute(SchemaSQL.create(table)) }
    for index in schema.indexes { try connection.execute(index.sql) }
    try connection.execute(SchemaSQL.primaryKeyTable)
    try connection.execute(SchemaSQL.metadataTable)
    try connection.execute(SchemaSQL.modelCacheTable)
    for entity in schema.numbering.entities {
      let number = schema.numbering.number(of: entity.name)
      let parent = entity.superentityName.map { schema.numbering.number(of: $0) } ?? 0
      try connection.execute(
        "INSERT INTO Z_PRIMARYKEY VALUES (\(number), \(SQLText.quoted(literal: entity.name)), \(parent), 9)"
      )
      if !entity.isAbstract {
        let table = schema.table(of: entity).name
        try connection.execute(
          "INSERT INTO \(table) (Z_PK, Z_ENT, Z_OPT) VALUES (\(number), \(number), 1)"
        )
      }
    }
    let row = try connection.prepare("INSERT INTO Z_METADATA VALUES (1, 'uuid', ?1)")
    try row.bind(.blob(metadata.propertyListBytes), at: 1)
    try row.run()
    let cache = try connection.prepare("INSERT INTO Z_MODELCACHE VALUES (?1)")
    try cache.bind(.blob(ModelCache.bytes(of: model)), at: 1)
    try cache.run()
  }

  private static let xmlList = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0"><dict><key>NSStoreModelVersionHashes</key><dict><key>Note</key>
    <data>AAECAw==</data></dict><key>a</key><array><true/><false/><integer>-7</integer>
    <real>1.5e3</real><date>2001-01-01T00:00:00Z</date><string>&lt;&#x41;<![CDATA[x]]></string>
    <dict><key>CF$UID</key><integer>3</integer></dict></array></dict></plist>
    """
  private static let oldList = """
    { a = (b, "c\\n\\U00e9\\351", <00ff 10>); /* x */ 'd' = { e = $f; }; } // g
    """
  private static let patterns = [
    "(?i)[a-z&&[^aeiou]]+\\.(\\d{2,4}|\\p{Lu}*?)\\b\nxyz.2026", "(a|b)\\1(?=c)(?<!d)c\nbbc",
    "[[:alpha:]-[é]]*+\\R\\X\\x{1F600}\\N{BULLET}?\\Qa.b\\E\nä\r\ne\u{301}\u{1F600}a.b",
    "(?x) (?>a+) | ^\\w{3}$ # end\nabc", "(a+)+b\naaaaaaaaaaaaaaaaaaaaaaaaaaaac",
  ]
  private static let foldings = [
    "Straße ÄÖÜ e\u{301}\u{323} \u{1E69}", "ΑΣ ς \u{345}\u{301} Ελλάδα", "Ёлка Й й \u{483}",
    "각 \u{3099}か\u{3099}", "\u{F71}\u{F72}\u{F74}\u{FB2C}\u{FB1D}", "ᏣᎳᎩ ꭰ ᲀ İ ı ﬃ K",
  ]
  private static let expressions = [
    "p\nname BEGINSWITH[cd] \"a\\n\" AND (age > 3 OR NOT ANY tags.@count == 0x1F)",
    "p\nTRUEPREDICATE || SUBQUERY(items, $x, $x.price BETWEEN {1, 2.5e3}).@count > 0",
    "p\n$value IN {'a', NULL, YES, CAST(1, 'NSDate')} && SELF MATCHES '.*'",
    "v\nFUNCTION($manager, \"map:with:\", $source, FUNCTION(a.b, 'c')) + 3 ** -2",
    "v\nTERNARY(a == b, max(c.d), now()) UNION {1}",
  ]
}

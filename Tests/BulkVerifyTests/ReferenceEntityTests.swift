import BulkTestSupport
import BulkMigrate
import Testing

/// References must lead to rows of the entities of their relationships, and of those that are noted beside them.
struct ReferenceEntityTests {
  private static func model(_ note: [AttributeDescription] = []) throws -> ManagedObjectModel {
    try .of(
      .init("Ad", [], [.toMany("notes", "Note.ad")]),
      .init("Banner", under: "Ad"),
      .init("Note", note, [.toOne("ad", "Ad.notes"), .toOne("banner", "Banner")])
    )
  }

  /// Note 1 leads to Banner 7 twice; Ad 5 is another.
  ///
  /// The number of Ad is 1, that of Banner 2.
  @Test(
    arguments: [
      ("UPDATE ZNOTE SET ZTITLE = 'same'", []),
      (
        "UPDATE ZNOTE SET Z1_AD = 1",
        [
          "Note, ad: expected an object of Ad, of the entity that Z1_AD has, found none for 1 keys, the first in row 1"
        ]
      ),
      (
        "UPDATE ZNOTE SET ZBANNER = 5",
        ["Note, banner: expected an object of Banner, found none for 1 keys, the first in row 1"]
      ),
      (
        "UPDATE ZNOTE SET ZAD = 5, Z1_AD = 1, ZBANNER = 99",
        ["Note, banner: expected an object of Banner, found none for 1 keys, the first in row 1"]
      ),
    ] as [(String, [String])]
  )
  func `a reference leads to a row of its entity`(sql: String, sentences: [String]) throws {
    let planned = try Planned(
      TestStore(
        try Self.model(),
        TestObject("Ad", 5),
        TestObject("Banner", 7),
        TestObject("Note", 1, links: ["ad": [7], "banner": [7]])
      ),
      to: Self.model([.optional("title")]),
      by: [
        .of("Ad", "Ad"), .of("Banner", "Banner"),
        .of(
          "Note",
          "Note",
          [:],
          [
            "ad": instances("BannerToBanner", "$source.ad"),
            "banner": instances("BannerToBanner", "$source.banner"),
          ]
        ),
      ]
    )
    try planned.run().execute(sql)
    #expect(try Verification(inTestProcess: planned.plan, .quick).run().sentences == sentences)
  }
}

import BulkTestSupport
import Testing

struct MemoryLimitTests {
  /// Long texts, so that a page of evaluated rows holds another number of them under every limit, a
  /// value that is streamed, and an owner with more lines than fit beside its row.
  private static func planned() throws -> Planned {
    let notes = (1...900).map { key in
      TestObject(
        "Note",
        Int64(key),
        ["text": .string(String(repeating: "é\(key) ", count: 400))],
        links: key == 5 ? ["lines": (1...2_500).map { Int64($0) }] : [:]
      )
    }
    let image = [UInt8](repeating: 7, count: 1_500_000)
    let lines = (1...2_500).map { TestObject("Line", Int64($0), ["price": .integer(3)]) }
    var store = TestStore(
      try .of(
        .init(
          "Note",
          [.optional("image", .binaryData), .optional("text")],
          [.toMany("lines", "Line.note")]
        ),
        .init("Line", [.optional("price", .integer32)], [.toOne("note", "Note.lines")])
      )
    )
    store.objects =
      notes + lines + [TestObject("Note", 901, ["image": .binary(image), "text": "a"])]
    return try Planned(
      store,
      to: .of(
        .init(
          "Note",
          [.optional("image", .binaryData), .optional("text"), .optional("total", .integer64)]
        )
      ),
      by: [
        .of(
          "Note",
          "Note",
          [
            "text": "uppercase:($source.text)", "image": "$source.image",
            "total": "$source.lines.@sum.price",
          ]
        )
      ]
    )
  }

  @Test func `the destination is the same bytes under all of them`() throws {
    let planned = try Self.planned()
    let base = ByteCount.mebibytes(20)
    let smallest = planned.plan.smallestMemoryLimit(base: base)
    let path = planned.plan.destination.store
    let files = try [smallest, .mebibytes(64), .mebibytes(256), .gibibytes(1)].map { limit in
      var migration = Migration(planned.plan)
      migration.baseMemory = base
      migration.lossLimit = .all
      migration.memoryLimit = limit
      migration.minimumRowsForCheckpoints = 0
      _ = try migration.run()
      let store = StoreFile(path)
      #expect(
        try store.rows("SELECT count(*), sum(ZTOTAL), max(length(ZIMAGE)) FROM ZNOTE")
          == [[901, 7_500, 1_500_000]]
      )
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      try FileManager.default.removeItem(atPath: path)
      return bytes
    }
    #expect(files.allSatisfy { $0 == files[0] })
  }
}

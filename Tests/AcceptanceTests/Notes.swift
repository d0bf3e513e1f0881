import BulkTestSupport

/// Twelve notes with edges: texts around the limit of a caption, no image, no date, bytes that are not a picture.
enum Notes {
  /// A gray picture of one pixel: a PNG made with zlib and checked sums.
  static let onePixel = [UInt8](
    hex: """
      89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b55
      0000000a4944415478da6368000000820081da45083b0000000049454e44ae426082
      """
  )
  /// A gray picture, 3 pixels wide and 2 high.
  static let threeByTwo = [UInt8](
    hex: """
      89504e470d0a1a0a0000000d4948445200000003000000020800000000b81f39c6
      0000000e4944415478da63686868600062000c080301d8c9f7f00000000049454e44ae426082
      """
  )
  /// A gray picture, 640 pixels wide and 1 high.
  static let line = [UInt8](
    hex: """
      89504e470d0a1a0a0000000d4948445200000280000000010800000000
      6bd540ab0000000f4944415478da63681805a360000100b9f140101123156a0000000049454e44ae426082
      """
  )

  /// A note; its index in the list is its key.
  struct Note {
    let key: Int64
    let title: String
    let body: String
    let date: Double?
    var image: [UInt8]?
  }

  private static func letters(_ count: Int) -> String { String(repeating: "a", count: count) }

  static let all = [
    Note(key: 1, title: "empty", body: "", date: 1.5, image: onePixel),
    Note(key: 2, title: "one", body: "a", date: 2.5, image: threeByTwo),
    Note(key: 3, title: "short of the limit", body: letters(79), date: 3.5, image: line),
    Note(key: 4, title: "at the limit", body: letters(80), date: 4.5, image: onePixel),
    Note(key: 5, title: "beyond the limit", body: letters(81), date: 5.5, image: onePixel),
    Note(key: 6, title: "long", body: letters(500), date: 6.5, image: onePixel),
    // The two UTF-16 units of the character stand at 80 and 81.
    Note(key: 7, title: "across the limit", body: letters(79) + "😀b", date: 7.5, image: onePixel),
    Note(key: 9, title: "no picture", body: "plain", date: 9.5, image: [1, 2, 3]),
    Note(key: 10, title: "without an image", body: "b", date: 10.5),
    Note(key: 11, title: "without a date", body: "c", date: nil),
    Note(key: 12, title: "Ελλάδα, 東京", body: "👩‍👩‍👧", date: -1.5, image: threeByTwo),
    Note(key: 20, title: "", body: "d", date: 20.5),
  ]

  /// The store of version 1, which has no images.
  static func version1(_ model: ManagedObjectModel) -> TestStore {
    store(model) { note in attributes(note) }
  }

  /// The store of version 2.
  static func version2(_ model: ManagedObjectModel) -> TestStore {
    store(model) { note in
      attributes(note).merging(note.image.map { ["image": .binary($0)] } ?? [:]) { $1 }
    }
  }

  private static func attributes(_ note: Note) -> [String: AttributeValue] {
    var result: [String: AttributeValue] = [
      "title": .string(note.title), "body": .string(note.body),
      "displayIndex": .integer(note.key * 2),
    ]
    result["dateCreated"] = note.date.map { .date($0) }
    return result
  }

  private static func store(
    _ model: ManagedObjectModel,
    _ values: (Note) -> [String: AttributeValue]
  ) -> TestStore {
    var store = TestStore(model)
    store.objects = all.map { TestObject("Note", $0.key, values($0)) }
    return store
  }

  /// The columns `Z_PK`, `ZDISPLAYINDEX`, `ZDATECREATED`, `ZBODY` and `ZTITLE` in every version.
  static let rows: [[StoredValue]] = all.map { note in
    [
      .integer(note.key), .integer(note.key * 2), note.date.map { .real($0) } ?? nil,
      .text(note.body), .text(note.title),
    ]
  }
}

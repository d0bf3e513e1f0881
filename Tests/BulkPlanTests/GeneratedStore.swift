import BulkTestSupport

/// A store whose rows hold every kind of value, ordinary and extreme ones, made from a fixed seed.
struct GeneratedStore {
  static let rowCount: Int64 = 300
  /// The file is made once; every test reads a copy in its own folder.
  private static let bytes = Result {
    let directory = TemporaryDirectory()
    var store = TestStore(try model())
    store.objects = objects()
    return try Files.read(try store.write(to: directory.path("source.sqlite")).path)
  }

  let path: String
  let schema: StoreSchema

  init(in directory: TemporaryDirectory) throws {
    path = directory.path("source.sqlite")
    schema = TestStore(try Self.model()).schema
    try Files.write(try Self.bytes.get(), to: path)
  }

  static func model() throws -> ManagedObjectModel {
    try .of(
      .init(
        "Item",
        attributes,
        [
          .toOne("box", "Box.items"),
          .toMany("parts", "Part.item", isOrdered: true),
          .toMany("tags", "Tag.items"), .toMany("pages", "Page"),
          .toMany("sheets", "Page", isOrdered: true),
        ]
      ),
      .init(
        "Box",
        [.optional("size", .integer16), .optional("label"), .optional("weight", .double)],
        [.toMany("items", "Item.box"), .toOne("shelf", "Shelf.boxes")]
      ),
      .init(
        "Shelf",
        [.optional("label"), .optional("height", .double), .optional("built", .date)],
        [.toMany("boxes", "Box.shelf")]
      ),
      .init(
        "Part",
        [.optional("weight", .integer32), .optional("name")],
        [.toOne("item", "Item.parts")]
      ),
      .init("Page", [.optional("number", .integer16)]),
      .init("LongPage", under: "Page", [.optional("length", .integer64)]),
      .init("Tag", [.optional("name")], [.toMany("items", "Item.tags")])
    )
  }

  private static let attributes: [AttributeDescription] = [
    .optional("i16", .integer16), .optional("i32", .integer32), .optional("i64", .integer64),
    .optional("flag", .boolean), .optional("real", .double), .optional("single", .float),
    .optional("money", .decimal), .optional("text"), .optional("day", .date),
    .optional("uuid", .uuid), .optional("link", .uri), .optional("bytes", .binaryData),
    .optional("image", .transformable), .external("file"),
  ]

  /// The values of each attribute: all that may be special, then others by chance.
  private static let pools: [String: [AttributeValue]] = [
    "i16": [0, 1, -1, 2, 7, 32_767, -32_768, 100],
    "i32": [0, 1, -1, 65_536, 2_147_483_647, -2_147_483_648, 7],
    "i64": [
      0, 1, -1, 7, .integer(.max), .integer(.min), 9_007_199_254_740_992, 9_007_199_254_740_993,
      -9_007_199_254_740_993,
    ],
    "flag": [.boolean(true), .boolean(false)],
    "real": reals.map { .double($0) },
    "single": [0, -0.0, 1.5, -2.25, Double(Float.greatestFiniteMagnitude), 0.1].map { .double($0) },
    "money": ["0", "1", "-1", "0.1", "9.99", "1234567.89", "-0.005", "100000000000000000000"]
      .compactMap { Decimal(string: $0) }.map { .decimal($0) },
    "text": texts.map { .string($0) },
    "day": [0, 1, -1, 0.5, 1_000_000_000.25, -63_114_076_800, 7].map { .date($0) },
    "uuid": [
      UUID(uuidString: "00000000-0000-0000-0000-000000000000"),
      UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"),
    ].compactMap(\.self).map { .uuid($0) },
    "link": [.uri("https://example.com/a"), .uri(""), .uri("x:é")],
    "bytes": [.binary([]), .binary([0]), .binary([1, 2, 255])],
    "image": [.binary([]), .binary([9, 8])],
    "file": [.binary([]), .binary([1]), .binary([2, 3])],
  ]

  // A value that is not a number is bound as NULL, so the store holds none; it is here to show that.
  private static let reals: [Double] = [
    0, -0.0, 1, -1, 0.1, 212, -459.67, 1.8, .infinity, -.infinity, .nan, .greatestFiniteMagnitude,
    -.greatestFiniteMagnitude, .leastNonzeroMagnitude, .leastNormalMagnitude, .pi, 0x1p53, 0x1p63,
    -0x1p63, 7,
  ]

  private static let texts = [
    "", "a", "A", "ab", "abc", "ABC", "b", "é", "e\u{301}", "ß", "ẞ", "İ", "ı", "日本語", "😀", "👩‍👩‍👧",
    "\u{FFFF}", "\u{10000}", "a\u{0}b", "a\u{0}", "\u{0}", "%", "_", "*", "?", "5", "05", "5.0",
    "it's", "\"", "line\nbreak", "문과", "\u{FB01}", "a b", " ",
  ]

  private static func objects() -> [TestObject] {
    var random = SeededGenerator(seed: 20_261_121)
    var objects: [TestObject] = []
    for key in 1...5 {
      let values: [String: AttributeValue] = [
        "label": .string(texts[key]), "height": .double(reals[key]),
        "built": .date(Double(key) / 2),
      ]
      objects.append(TestObject("Shelf", Int64(key), key == 5 ? [:] : values))
    }
    for key in 1...20 {
      var values: [String: AttributeValue] = [:]
      if let size = random.pick(pools["i16"]) { values["size"] = size }
      if let label = random.pick(pools["text"]) { values["label"] = label }
      if let weight = random.pick(pools["real"]) { values["weight"] = weight }
      let shelf = Int64.random(in: 0...5, using: &random)
      let links = shelf == 0 ? [:] : ["shelf": [shelf]]
      objects.append(TestObject("Box", Int64(key), values, links: links))
    }
    for key in 1...6 { objects.append(TestObject("Tag", Int64(key), ["name": .string("\(key)")])) }
    objects += items(&random)
    return objects
  }

  private static func items(_ random: inout SeededGenerator) -> [TestObject] {
    var objects: [TestObject] = []
    var part: Int64 = 0
    for key in 1...rowCount {
      var values: [String: AttributeValue] = [:]
      for name in pools.keys.sorted() {
        if let value = random.pick(pools[name]) { values[name] = value }
      }
      var links: [String: [Int64]] = [:]
      let box = Int64.random(in: 0...20, using: &random)
      if box > 0 { links["box"] = [box] }
      let tags = (1...6).filter { _ in Bool.random(using: &random) }.map { Int64($0) }
      links["tags"] = tags.shuffled(using: &random)
      let count = Int64.random(in: 0...3, using: &random)
      if count > 0 { links["pages"] = [key] }
      if count > 1 { links["sheets"] = [rowCount + key, key] }
      links["parts"] = Array((part + 1)..<(part + 1 + count)).reversed()
      objects.append(TestObject("Page", key, ["number": .integer(key % 7)]))
      objects.append(TestObject("LongPage", rowCount + key, ["number": 1, "length": 2]))
      objects.append(TestObject("Item", key, values, links: links))
      for _ in 0..<count {
        part += 1
        let weight = random.pick(pools["i32"])
        objects.append(
          TestObject(
            "Part",
            part,
            weight.map { ["weight": $0, "name": .string("p\(part % 4)")] } ?? [:]
          )
        )
      }
    }
    return objects
  }
}

/// Numbers by chance that are always the same, after SplitMix64.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var result = state
    result = (result ^ (result >> 30)) &* 0xBF58_476D_1CE4_E5B9
    result = (result ^ (result >> 27)) &* 0x94D0_49BB_1331_11EB
    return result ^ (result >> 31)
  }

  /// One of some values, or nothing at all one time in six.
  mutating func pick(_ values: [AttributeValue]?) -> AttributeValue? {
    guard let values, Int.random(in: 0..<6, using: &self) > 0 else { return nil }
    return values.randomElement(using: &self)
  }
}

import BulkTestSupport
import Testing

struct ModelPackageTests {
  private let folder = TemporaryDirectory()

  /// Writes a file with the folders above it, and gives its path.
  @discardableResult
  private func write(_ bytes: [UInt8], to path: String) throws -> String {
    _ = try folder.folder(path.split(separator: "/").dropLast().joined(separator: "/"))
    try Files.write(bytes, to: folder.path(path))
    return folder.path(path)
  }

  @discardableResult
  private func write(_ text: String, to path: String) throws -> String {
    try write(Array(text.utf8), to: path)
  }

  private func writeVersion(_ name: String, entity: String) throws {
    try write(
      "<model><entity name='\(entity)'/></model>",
      to: "M.xcdatamodeld/\(name)/contents"
    )
  }

  private func mark(_ name: String) throws {
    try write(
      "<plist><dict><key>_XCCurrentVersionName</key><string>\(name)</string></dict></plist>",
      to: "M.xcdatamodeld/.xccurrentversion"
    )
  }

  private func archive(_ entity: String) throws -> [UInt8] {
    CompiledModelWriter.archive(
      of: try ManagedObjectModel(entities: [EntityDescription(entity)])
    )
  }

  @Test(arguments: ["M.xcdatamodeld", "M.xcdatamodeld/"])
  func `a package of sources stands for its current version`(name: String) throws {
    try writeVersion("M.xcdatamodel", entity: "A")
    try writeVersion("M 2.xcdatamodel", entity: "B")
    try mark("M 2.xcdatamodel")
    let model = try ManagedObjectModel(contentsOf: folder.path("") + name)
    #expect(model.entities.map(\.name) == ["B"])
    let package = try ModelPackage(contentsOf: folder.path("M.xcdatamodeld"))
    #expect(package.versions.map(\.name) == ["M", "M 2"])
    #expect(try package.versions.first?.model().entities.map(\.name) == ["A"])
  }

  @Test func `a package without a mark stands for its only version`() throws {
    try writeVersion("M.xcdatamodel", entity: "A")
    try write("<plist><dict/></plist>", to: "M.xcdatamodeld/.xccurrentversion")
    let package = try ModelPackage(contentsOf: folder.path("M.xcdatamodeld"))
    #expect(try package.currentVersion().name == "M")
  }

  @Test func `a package without a mark lists its versions in the error`() throws {
    try writeVersion("M.xcdatamodel", entity: "A")
    try writeVersion("M 2.xcdatamodel", entity: "B")
    let path = folder.path("M.xcdatamodeld")
    #expect(
      throws: ModelError.notAModel(
        path: path,
        reason: "it marks none of its versions as current; name one of them: M, M 2"
      )
    ) { try ManagedObjectModel(contentsOf: path) }
  }

  @Test func `a mark of a version that is not there is refused`() throws {
    try writeVersion("M.xcdatamodel", entity: "A")
    try mark("N.xcdatamodel")
    #expect(throws: ModelError.self) { try ModelPackage(contentsOf: folder.path("M.xcdatamodeld")) }
  }

  @Test func `a compiled package has its current version and recorded hashes`() throws {
    let hash = String(repeating: "A", count: 43) + "="
    try write(archive("A"), to: "M.momd/M.mom")
    try write(archive("B"), to: "M.momd/M 2.mom")
    try write("momv2$", to: "M.momd/M 2.omo")
    try write(
      """
      <plist><dict>
      <key>NSManagedObjectModel_CurrentVersionName</key><string>M 2</string>
      <key>NSManagedObjectModel_VersionHashes</key>
      <dict><key>M 2</key><dict><key>B</key><data>\(hash)</data></dict></dict>
      <key>NSManagedObjectModel_VersionChecksums</key>
      <dict><key>M 2</key><string>c3Vt</string></dict>
      </dict></plist>
      """,
      to: "M.momd/VersionInfo.plist"
    )
    let package = try ModelPackage(contentsOf: folder.path("M.momd"))
    #expect(package.versions.map(\.name) == ["M", "M 2"])
    let current = try package.currentVersion()
    #expect(current.name == "M 2" && current.recordedChecksum == "c3Vt")
    #expect(current.recordedHashes?["B"]?.bytes == Array(repeating: 0, count: 32))
    #expect(try current.model().entities.map(\.name) == ["B"])
  }

  @Test func `what is not a model says what it is`() throws {
    let missing = folder.path("none.mom")
    #expect(throws: ModelError.unreadable(path: missing, reason: "the file does not exist")) {
      try ManagedObjectModel(contentsOf: missing)
    }
    let text = try write("hello", to: "a.mom")
    #expect(throws: ModelError.self) { try ManagedObjectModel(contentsOf: text) }
    let xml = try write("<html/>", to: "b/contents")
    #expect(
      throws: ModelError.notAModel(path: xml, reason: "its XML is a <html>, not a data model")
    ) { try ManagedObjectModel(contentsOf: xml) }
    try write("x", to: "c/readme")
    #expect(
      throws: ModelError.notAModel(
        path: folder.path("c"),
        reason: "the folder holds no .xcdatamodel and no .mom"
      )
    ) { try ManagedObjectModel(contentsOf: folder.path("c")) }
    try write("x", to: "d.xcdatamodel/layout")
    #expect(
      throws: ModelError.notAModel(
        path: folder.path("d.xcdatamodel"),
        reason: "the folder holds neither contents nor elements"
      )
    ) { try ManagedObjectModel(contentsOf: folder.path("d.xcdatamodel")) }
  }
}

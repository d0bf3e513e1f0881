import Testing

@Suite("The check of the layers")
struct LayerCheckTests {
  private let check = LayerCheck(
    diagram: LayerDiagram(
      rows: [
        LayerDiagram.Row(target: "Ground", lower: []),
        LayerDiagram.Row(target: "CInk", lower: []),
        LayerDiagram.Row(target: "Page", lower: ["Ground", "CInk"]),
        LayerDiagram.Row(target: "Cover", lower: ["CInk"]),
        LayerDiagram.Row(target: "Book", lower: ["Page"]),
      ],
      systemModules: ["Foundation"],
      platform: "Ground",
      platformModules: ["Soil"],
      cLibraries: ["CInk"]
    )
  )

  @Test func `imports of lower targets and of the system pass`() {
    let files = [
      "Book/Book.swift": "import Foundation\npackage import Page\n",
      "Page/Page.swift": "internal import CInk\n",
    ]
    #expect(check.violations(in: files) == [])
  }

  @Test(arguments: [
    "import Book", "package import Book", "@_exported public import Book", "@testable import Book",
    "@_spi(Binding) import struct Book.Spine", "import Foundation; import Book",
    "#if canImport(Book)\nimport Book\n#endif", "@_exported\nimport Book", "import `Book`",
    "let a = \"//\"; import Book", "/* a /* b */ */ import Book", "import\n  Book",
    "let a = #\"\\\"#; import Book",
  ])
  func `an import of a higher target fails, however it is written`(source: String) {
    let violations = check.violations(in: ["Page/Page.swift": source])
    #expect(violations.map(\.reason) == ["Page must not import Book"])
  }

  @Test(arguments: [
    "// import Book", "/* import Book */", "/* /* */ import Book */", "let a = \"import Book\"",
    "let a = \"\"\"\n  import Book\n  \"\"\"", "let a = #\"\" import Book\"#",
    "let a = \"\\(b + \"import Book\") import Book\"", "let a = b.import", "/// import Book",
  ])
  func `words in comments and strings are no imports`(source: String) {
    #expect(check.violations(in: ["Page/Page.swift": source]) == [])
  }

  @Test func `a violation has its file and line`() {
    let source = "import Foundation\n/* two\nlines */\ninternal import Cover\n"
    let violations = check.violations(in: ["Book/Chapters/One.swift": source])
    #expect(
      violations.map(\.description) == ["Book/Chapters/One.swift:4: Book must not import Cover"]
    )
  }

  @Test func `a target that only lies below what is imported must not be imported`() {
    let violations = check.violations(in: ["Book/Book.swift": "import CInk\n"])
    #expect(violations.map(\.reason) == ["Book must not import CInk"])
  }

  @Test func `a module that nobody knows must not be imported`() {
    let violations = check.violations(in: ["Book/Book.swift": "import Glue\n"])
    #expect(
      violations.map(\.reason) == ["Book imports Glue, which the diagram does not know"]
    )
  }

  @Test func `a target that is not in the diagram fails`() {
    let violations = check.violations(in: ["Shelf/Shelf.swift": "let a = 1\n"])
    #expect(
      violations.map(\.description) == [
        "Shelf/Shelf.swift:1: target Shelf is not in the diagram"
      ]
    )
  }

  @Test func `what the platform is called is known to one target alone`() {
    let files = [
      "Ground/Ground.swift": "@_exported public import Soil\n",
      "Page/Page.swift": "import Ground\nimport Soil\n",
    ]
    #expect(
      check.violations(in: files).map(\.description) == [
        "Page/Page.swift:2: Page imports Soil, which Ground stands for"
      ]
    )
  }

  @Test func `a C library that two targets import fails, though both have it in their row`() {
    let files = [
      "Cover/Cover.swift": "import CInk\n",
      "Page/Page.swift": "\nimport CInk\n",
    ]
    #expect(
      check.violations(in: files).map(\.description) == [
        "Page/Page.swift:2: Page imports CInk, which belongs to Cover"
      ]
    )
  }

  @Test func `a manifest's layers are read, and its comments are not`() {
    let manifest = """
      func layer(_ name: String, over lower: Target.Dependency...) -> Target {
        .target(name: name, dependencies: lower)
      }
      targets: [
        .systemLibrary(name: "CInk", pkgConfig: "ink", providers: [.apt(["libink-dev"])]),
        // layer("Dust"),
        layer("Page", over: "CInk"),
        layer("Glue"),
        layer(
          "Book",
          over: "Page",
          "Glue"
        ),
        .executableTarget(name: "press", dependencies: ["Book"], swiftSettings: strict),
        tests("PageTests", of: "Page"),
      ]
      """
    #expect(
      ManifestLayers.rows(of: manifest) == [
        LayerDiagram.Row(target: "CInk", lower: []),
        LayerDiagram.Row(target: "Page", lower: ["CInk"]),
        LayerDiagram.Row(target: "Glue", lower: []),
        LayerDiagram.Row(target: "Book", lower: ["Page", "Glue"]),
        LayerDiagram.Row(target: "press", lower: ["Book"]),
      ]
    )
  }
}

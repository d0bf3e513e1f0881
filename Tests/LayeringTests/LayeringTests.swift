import Foundation
import Testing

@Suite("The layers of the house")
struct LayeringTests {
  @Test func `every target imports only what stands below it in the diagram`() throws {
    let violations = LayerCheck(diagram: .bulkmigrate).violations(in: try Project.sources())
    for violation in violations {
      Issue.record("Sources/\(violation.description)")
    }
  }

  @Test func `every target of the diagram has a folder, and every folder is in the diagram`() throws
  {
    let targets = Set(LayerDiagram.bulkmigrate.rows.map(\.target))
    #expect(try Project.sourceFolders() == targets)
  }

  @Test func `the manifest declares the layers of the diagram, in the same order`() throws {
    let declared = ManifestLayers.rows(of: try Project.manifest())
    #expect(declared == LayerDiagram.bulkmigrate.rows)
  }

  @Test func `every row of the diagram names only rows below it`() {
    var below: Set<String> = []
    for row in LayerDiagram.bulkmigrate.rows {
      #expect(row.lower.isSubset(of: below), "\(row.target)")
      below.insert(row.target)
    }
  }

  @Test func `only the target that stands for the platform asks which one it is`() throws {
    let platform = LayerDiagram.bulkmigrate.platform
    for (path, text) in try Project.sources() where !path.hasPrefix("\(platform)/") {
      for line in String(SwiftText(text).code).split(separator: "\n")
      where line.contains(/^\s*#(if|elseif)\b/) && !line.contains(/^\s*#if DEBUG$/) {
        Issue.record("Sources/\(path): \(line.trimmingCharacters(in: .whitespaces))")
      }
    }
  }

  @Test func `no source imports Foundation where its parts can be had without ICU`() throws {
    let importing = try Project.sources().filter { _, text in
      ImportLine.all(in: text).contains {
        $0.module.hasPrefix("Foundation") && $0.module != "FoundationEssentials"
      }
    }
    #expect(importing.keys.sorted() == ["BulkPlatform/Essentials.swift"])
    let essentials = try #require(importing["BulkPlatform/Essentials.swift"])
    #expect(
      essentials.hasSuffix(
        """
        #if canImport(FoundationEssentials)
        @_exported public import FoundationEssentials
        #else
        @_exported public import Foundation
        #endif

        """
      )
    )
  }

  @Test(arguments: LayerDiagram.bulkmigrate.cLibraries.sorted())
  func `a C library stands below one target alone`(library: String) {
    let owners = LayerDiagram.bulkmigrate.rows.filter { $0.lower.contains(library) }
    #expect(owners.count == 1)
  }
}

/// The files of this project.
enum Project {
  /// The project's folder.
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static func manifest() throws -> String { try text("Package.swift") }

  /// The text of a file.
  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// The folders of the packages under a folder, sorted.
  static func packages(under folder: String) throws -> [String] {
    let name = "/Package.swift"
    let paths = try FileManager.default.subpathsOfDirectory(
      atPath: root.appendingPathComponent(folder).path
    )
    return paths.filter { $0.hasSuffix(name) && !$0.contains("/.build/") }
      .map { String($0.dropLast(name.count)) }.sorted()
  }

  static func sourceFolders() throws -> Set<String> {
    let folder = root.appendingPathComponent("Sources").path
    return Set(try FileManager.default.contentsOfDirectory(atPath: folder))
  }

  /// The texts of all Swift files by their path under `Sources`.
  static func sources() throws -> [String: String] {
    let folder = root.appendingPathComponent("Sources")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    let texts = try paths.filter { $0.hasSuffix(".swift") }.map { path in
      (path, try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8))
    }
    return Dictionary(uniqueKeysWithValues: texts)
  }
}

// swift-tools-version: 6.2

import PackageDescription

// The readers are `package`, so what feeds them must belong to one package with them: `Layers` is a
// link to the project's sources, from which this package builds its own, instrumented copy.

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

func layer(_ name: String, over lower: Target.Dependency...) -> Target {
  .target(name: name, dependencies: lower, path: "Layers/\(name)", swiftSettings: strict)
}

let package = Package(
  name: "fuzz",
  platforms: [.macOS(.v15)],
  targets: [
    .systemLibrary(name: "CBulkSQLite", path: "Layers/CBulkSQLite", pkgConfig: "sqlite3"),
    .systemLibrary(name: "CBulkZlib", path: "Layers/CBulkZlib", pkgConfig: "zlib"),
    .systemLibrary(name: "CBulkPCRE2", path: "Layers/CBulkPCRE2", pkgConfig: "libpcre2-16"),
    .systemLibrary(name: "CBulkUTF8Proc", path: "Layers/CBulkUTF8Proc", pkgConfig: "libutf8proc"),
    layer("BulkPlatform"),
    layer("BulkCoding", over: "BulkPlatform", "CBulkZlib", "CBulkPCRE2", "CBulkUTF8Proc"),
    layer("BulkSQLite", over: "BulkPlatform", "CBulkSQLite"),
    layer("BulkModel", over: "BulkPlatform", "BulkCoding"),
    layer("BulkMapping", over: "BulkPlatform", "BulkCoding", "BulkModel"),
    layer("BulkStore", over: "BulkPlatform", "BulkCoding", "BulkModel", "BulkSQLite"),
    layer(
      "BulkVersions",
      over: "BulkPlatform",
      "BulkCoding",
      "BulkModel",
      "BulkMapping",
      "BulkStore"
    ),
    layer(
      "BulkLowering",
      over: "BulkPlatform",
      "BulkCoding",
      "BulkSQLite",
      "BulkModel",
      "BulkMapping",
      "BulkStore",
      "BulkVersions"
    ),
    layer(
      "BulkPlan",
      over: "BulkPlatform",
      "BulkCoding",
      "BulkModel",
      "BulkMapping",
      "BulkStore",
      "BulkVersions",
      "BulkLowering"
    ),
    .target(name: "CFuzzer"),
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        "BulkCoding", "BulkModel", "BulkSQLite", "BulkMapping", "BulkStore", "BulkVersions",
        "BulkPlan", "CFuzzer",
      ],
      swiftSettings: strict
    ),
  ],
  swiftLanguageModes: [.v6]
)

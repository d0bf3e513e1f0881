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

/// The layers from below, each of which may use those before it.
let layers = [
  "BulkSupport", "BulkSQLite", "BulkModel", "BulkMapping", "BulkStore", "BulkPlan",
]
let libraries = [
  ("CBulkSQLite", "sqlite3"), ("CBulkZlib", "zlib"), ("CBulkPCRE2", "libpcre2-16"),
  ("CBulkUTF8Proc", "libutf8proc"),
]

let package = Package(
  name: "fuzz",
  platforms: [.macOS(.v15)],
  targets: libraries.map {
    .systemLibrary(name: $0.0, path: "Layers/\($0.0)", pkgConfig: $0.1)
  }
    + layers.enumerated().map { place, name in
      .target(
        name: name,
        dependencies: (layers[..<place] + libraries.map(\.0)).map { .target(name: $0) },
        path: "Layers/\(name)",
        swiftSettings: strict
      )
    } + [
      .target(name: "CFuzzer"),
      .executableTarget(
        name: "Fuzz",
        dependencies: (layers + ["CFuzzer"]).map { .target(name: $0) },
        swiftSettings: strict
      ),
    ],
  swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2

import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// Every use of a pointer is marked `unsafe` where it stands, with what makes it sound.
let strictAndSafe = strict + [.strictMemorySafety()]

/// Debug builds of the layers that read and write every byte are optimized, and keep their assertions: the tests of real
/// stores take a tenth of the time, and the build little more.
///
/// Step through them in a debugger after `swift build -Xswiftc -Onone`, which has the last word.
let byteLayers: Set = ["BulkSupport", "BulkSQLite"]
let optimized: [SwiftSetting] = [
  .unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))
]

/// The layer that talks to SQLite and reads pages in place.
///
/// There nearly every line would be marked, and the marks would say nothing. It returns values and lends buffers, which
/// are marked above.
let pointerLayers: Set = ["BulkSQLite"]

/// A layer imports only what stands below it; `Tests/LayeringTests` holds the imports to that.
func layer(_ name: String, over lower: Target.Dependency...) -> Target {
  .target(
    name: name,
    dependencies: lower,
    swiftSettings: (pointerLayers.contains(name) ? strict : strictAndSafe)
      + (byteLayers.contains(name) ? optimized : [])
  )
}

func tests(
  _ name: String,
  of subjects: Target.Dependency...
) -> Target {
  .testTarget(
    name: name,
    dependencies: subjects + ["BulkTestSupport"],
    swiftSettings: strict
  )
}

let package = Package(
  name: "bulkmigrate",
  // It is not built here: all tests run on Linux. iOS has no such system libraries.
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "BulkMigrate", targets: ["BulkMigrate"]),
    .library(name: "BulkFixture", targets: ["BulkFixture"]),
    .library(name: "BulkMigrateCommand", targets: ["BulkMigrateCommand"]),
    .executable(name: "bulkmigrate", targets: ["BulkMigrateTool"]),
  ],
  targets: [
    .systemLibrary(
      name: "CBulkSQLite",
      pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]
    ),
    .systemLibrary(
      name: "CBulkZstd",
      pkgConfig: "libzstd",
      providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]
    ),
    .systemLibrary(
      name: "CBulkZlib",
      pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]
    ),
    .systemLibrary(
      name: "CBulkPCRE2",
      pkgConfig: "libpcre2-16",
      providers: [.apt(["libpcre2-dev"]), .brew(["pcre2"])]
    ),
    .systemLibrary(
      name: "CBulkUTF8Proc",
      pkgConfig: "libutf8proc",
      providers: [.apt(["libutf8proc-dev"]), .brew(["utf8proc"])]
    ),

    // Layers, bottom to top.
    layer("BulkSupport", over: "CBulkZlib", "CBulkPCRE2", "CBulkUTF8Proc"),
    layer("BulkSQLite", over: "BulkSupport", "CBulkSQLite"),
    layer("BulkModel", over: "BulkSupport"),
    layer("BulkMapping", over: "BulkSupport", "BulkModel"),
    layer("BulkStore", over: "BulkSupport", "BulkSQLite", "BulkModel"),
    layer("BulkFixture", over: "BulkSupport", "BulkSQLite", "BulkModel", "BulkStore"),
    layer("BulkPlan", over: "BulkSupport", "BulkSQLite", "BulkModel", "BulkMapping", "BulkStore"),
    layer(
      "BulkExecute",
      over: "BulkSupport",
      "BulkSQLite",
      "BulkModel",
      "BulkMapping",
      "BulkStore",
      "BulkPlan",
      "CBulkZstd"
    ),
    layer(
      "BulkMigrate",
      over: "BulkSupport",
      "BulkSQLite",
      "BulkModel",
      "BulkMapping",
      "BulkStore",
      "BulkPlan",
      "BulkExecute"
    ),
    layer(
      "BulkFleet",
      over: "BulkSupport",
      "BulkSQLite",
      "BulkModel",
      "BulkStore",
      "BulkPlan",
      "BulkExecute",
      "BulkMigrate"
    ),
    layer(
      "BulkMigrateCommand",
      over: "BulkSupport",
      "BulkSQLite",
      "BulkModel",
      "BulkMapping",
      "BulkFixture",
      "BulkPlan",
      "BulkExecute",
      "BulkMigrate",
      "BulkFleet"
    ),
    // Not named like the product: on a disk that knows no case it would lie where BulkMigrate lies.
    .executableTarget(
      name: "BulkMigrateTool",
      dependencies: ["BulkMigrateCommand"],
      swiftSettings: strictAndSafe
    ),

    // Tests: a target for a layer, or for a part of one.
    .target(
      name: "BulkTestSupport",
      dependencies: [
        "BulkSupport", "BulkMapping", "BulkModel", "BulkSQLite", "BulkStore", "BulkPlan",
        "BulkExecute",
      ],
      path: "Tests/BulkTestSupport",
      swiftSettings: strict
    ),
    tests("BulkPlatformTests", of: "BulkSupport"),
    tests("BulkAssociationTests", of: "BulkExecute"),
    tests("BulkCodingTests", of: "BulkSupport"),
    tests("BulkSQLiteTests", of: "BulkSQLite"),
    tests("BulkModelTests", of: "BulkModel", "BulkSupport", "BulkSQLite"),
    tests("BulkStoreTests", of: "BulkStore", "BulkSupport", "BulkModel", "BulkSQLite"),
    tests("BulkFixtureTests", of: "BulkFixture", "BulkModel"),
    tests("BulkMappingTests", of: "BulkMapping", "BulkModel", "BulkSupport"),
    tests("BulkPlanTests", of: "BulkPlan", "BulkStore", "BulkMapping", "BulkModel", "BulkSQLite"),
    tests(
      "BulkExecuteTests",
      of: "BulkExecute",
      "BulkMigrate",
      "BulkPlan",
      "BulkStore",
      "BulkMapping",
      "BulkModel",
      "BulkSupport"
    ),
    tests(
      "FusionTests",
      of: "BulkExecute",
      "BulkPlan",
      "BulkFixture",
      "BulkStore",
      "BulkMapping",
      "BulkModel",
      "BulkSupport"
    ),
    tests(
      "BulkMigrateTests",
      of: "BulkMigrate",
      "BulkFixture",
      "BulkModel",
      "BulkSupport",
      "CBulkSQLite"
    ),
    tests(
      "HostileTests",
      of: "BulkExecute",
      "BulkPlan",
      "BulkMapping",
      "BulkFixture",
      "BulkStore",
      "BulkModel",
      "BulkSQLite",
      "BulkSupport"
    ),
    tests(
      "ReferenceTests",
      of: "BulkExecute",
      "BulkPlan",
      "BulkStore",
      "BulkMapping",
      "BulkModel",
      "BulkSupport"
    ),
    tests(
      "BulkMigrateCommandTests",
      of: "BulkMigrateCommand",
      "BulkSupport",
      "BulkMigrateTool",
      "BulkExecute",
      "BulkFleet",
      "BulkPlan",
      "BulkMapping",
      "BulkModel"
    ),
    tests("BulkFleetTests", of: "BulkFleet", "BulkMigrate"),
    tests(
      "BulkVerifyTests",
      of: "BulkMigrate",
      "BulkStore",
      "BulkExecute",
      "BulkPlan",
      "BulkMapping",
      "BulkModel",
      "BulkSupport"
    ),
    tests(
      "BulkPreflightTests",
      of: "BulkMigrate",
      "BulkStore",
      "BulkExecute",
      "BulkPlan",
      "BulkMapping",
      "BulkModel",
      "BulkSupport"
    ),
    tests(
      "BulkReportTests",
      of: "BulkMigrate",
      "BulkExecute",
      "BulkPlan",
      "BulkModel",
      "BulkSupport"
    ),
    tests("LayeringTests"),

    // The worked examples of `Plans`, with the policies of their packages.
    .target(
      name: "NotesPolicySources",
      dependencies: ["BulkMigrate"],
      path: "Plans/uncloudnotes/notes-policies/Sources/NotesPolicies",
      swiftSettings: strictAndSafe
    ),
    .target(
      name: "ExamplePolicySources",
      dependencies: ["BulkMigrate"],
      path: "Plans/examples/example-policies/Sources/ExamplePolicies",
      swiftSettings: strictAndSafe
    ),
    tests(
      "AcceptanceTests",
      of: "BulkMigrate",
      "BulkExecute",
      "BulkPlan",
      "BulkMapping",
      "BulkStore",
      "BulkModel",
      "BulkFixture",
      "BulkSupport",
      "NotesPolicySources",
      "ExamplePolicySources"
    ),
  ],
  swiftLanguageModes: [.v6]
)

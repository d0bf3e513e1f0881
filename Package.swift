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
let byteLayers: Set = ["BulkPlatform", "BulkCoding", "BulkSQLite", "BulkAssociation"]
let optimized: [SwiftSetting] = [
  .unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))
]

/// The layers that talk to SQLite and to zstd and read pages in place.
///
/// There nearly every line would be marked, and the marks would say nothing. They hand on values and lend
/// buffers, which are marked above.
let pointerLayers: Set = ["BulkSQLite", "BulkAssociation"]

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
    layer("BulkPlatform"),
    layer("BulkCoding", over: "BulkPlatform", "CBulkZlib", "CBulkPCRE2", "CBulkUTF8Proc"),
    layer("BulkSQLite", over: "BulkPlatform", "CBulkSQLite"),
    layer("BulkModel", over: "BulkPlatform", "BulkCoding"),
    layer("BulkMapping", over: "BulkPlatform", "BulkCoding", "BulkModel"),
    layer("BulkStore", over: "BulkPlatform", "BulkCoding", "BulkModel", "BulkSQLite"),
    layer("BulkAssociation", over: "BulkPlatform", "CBulkZstd"),
    layer(
      "BulkFixture",
      over: "BulkPlatform",
      "BulkCoding",
      "BulkModel",
      "BulkSQLite",
      "BulkStore"
    ),
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
    layer(
      "BulkExecute",
      over: "BulkPlatform",
      "BulkCoding",
      "BulkSQLite",
      "BulkModel",
      "BulkMapping",
      "BulkStore",
      "BulkAssociation",
      "BulkVersions",
      "BulkLowering",
      "BulkPlan"
    ),
    layer(
      "BulkVerify",
      over: "BulkPlatform",
      "BulkCoding",
      "BulkSQLite",
      "BulkModel",
      "BulkMapping",
      "BulkStore",
      "BulkVersions",
      "BulkLowering",
      "BulkPlan",
      "BulkExecute"
    ),
    layer(
      "BulkPreflight",
      over: "BulkPlatform",
      "BulkCoding",
      "BulkSQLite",
      "BulkModel",
      "BulkMapping",
      "BulkStore",
      "BulkVersions",
      "BulkLowering",
      "BulkPlan",
      "BulkExecute"
    ),
    layer(
      "BulkReport",
      over: "BulkPlatform",
      "BulkCoding",
      "BulkStore",
      "BulkVersions",
      "BulkPlan",
      "BulkExecute",
      "BulkVerify"
    ),
    layer(
      "BulkMigrate",
      over: "BulkPlatform",
      "BulkCoding",
      "BulkModel",
      "BulkMapping",
      "BulkStore",
      "BulkVersions",
      "BulkPlan",
      "BulkExecute",
      "BulkVerify",
      "BulkPreflight",
      "BulkReport"
    ),
    layer(
      "BulkFleet",
      over: "BulkPlatform",
      "BulkCoding",
      "BulkSQLite",
      "BulkModel",
      "BulkStore",
      "BulkVersions",
      "BulkPlan",
      "BulkExecute",
      "BulkVerify",
      "BulkReport",
      "BulkMigrate"
    ),
    layer(
      "BulkMigrateCommand",
      over: "BulkPlatform",
      "BulkCoding",
      "BulkSQLite",
      "BulkModel",
      "BulkMapping",
      "BulkFixture",
      "BulkVersions",
      "BulkPlan",
      "BulkExecute",
      "BulkVerify",
      "BulkPreflight",
      "BulkReport",
      "BulkMigrate",
      "BulkFleet"
    ),
    // Not named like the product: on a disk that knows no case it would lie where BulkMigrate lies.
    .executableTarget(
      name: "BulkMigrateTool",
      dependencies: ["BulkMigrateCommand"],
      swiftSettings: strictAndSafe
    ),

    // Tests, one target a layer.
    .target(
      name: "BulkTestSupport",
      dependencies: [
        "BulkPlatform", "BulkCoding", "BulkMapping", "BulkModel", "BulkSQLite", "BulkStore",
        "BulkVersions", "BulkPlan", "BulkExecute",
      ],
      path: "Tests/BulkTestSupport",
      swiftSettings: strict
    ),
    tests("BulkPlatformTests", of: "BulkPlatform"),
    tests("BulkAssociationTests", of: "BulkAssociation"),
    tests("BulkCodingTests", of: "BulkCoding"),
    tests("BulkSQLiteTests", of: "BulkSQLite"),
    tests("BulkModelTests", of: "BulkModel", "BulkCoding", "BulkSQLite"),
    tests("BulkStoreTests", of: "BulkStore", "BulkCoding", "BulkModel", "BulkSQLite"),
    tests("BulkFixtureTests", of: "BulkFixture", "BulkModel"),
    tests("BulkMappingTests", of: "BulkMapping", "BulkModel", "BulkCoding"),
    tests(
      "BulkPlanTests",
      of: "BulkPlan",
      "BulkLowering",
      "BulkVersions",
      "BulkStore",
      "BulkMapping",
      "BulkModel",
      "BulkSQLite"
    ),
    tests(
      "BulkExecuteTests",
      of: "BulkExecute",
      "BulkVerify",
      "BulkPlan",
      "BulkLowering",
      "BulkVersions",
      "BulkStore",
      "BulkMapping",
      "BulkModel",
      "BulkCoding"
    ),
    tests(
      "FusionTests",
      of: "BulkExecute",
      "BulkPlan",
      "BulkLowering",
      "BulkVersions",
      "BulkFixture",
      "BulkStore",
      "BulkMapping",
      "BulkModel",
      "BulkCoding"
    ),
    tests(
      "BulkMigrateTests",
      of: "BulkMigrate",
      "BulkFixture",
      "BulkModel",
      "BulkCoding",
      "CBulkSQLite"
    ),
    tests(
      "HostileTests",
      of: "BulkExecute",
      "BulkPlan",
      "BulkLowering",
      "BulkVersions",
      "BulkMapping",
      "BulkFixture",
      "BulkStore",
      "BulkModel",
      "BulkSQLite",
      "BulkCoding"
    ),
    tests(
      "ReferenceTests",
      of: "BulkExecute",
      "BulkPlan",
      "BulkLowering",
      "BulkVersions",
      "BulkStore",
      "BulkMapping",
      "BulkModel",
      "BulkCoding"
    ),
    tests(
      "BulkMigrateCommandTests",
      of: "BulkMigrateCommand",
      "BulkPlatform",
      "BulkMigrateTool",
      "BulkExecute",
      "BulkFleet",
      "BulkPlan",
      "BulkVersions",
      "BulkMapping",
      "BulkModel",
      "BulkCoding"
    ),
    tests("BulkFleetTests", of: "BulkFleet", "BulkReport"),
    tests(
      "BulkVerifyTests",
      of: "BulkVerify",
      "BulkStore",
      "BulkExecute",
      "BulkPlan",
      "BulkVersions",
      "BulkMapping",
      "BulkModel",
      "BulkCoding"
    ),
    tests(
      "BulkPreflightTests",
      of: "BulkPreflight",
      "BulkStore",
      "BulkExecute",
      "BulkPlan",
      "BulkVersions",
      "BulkMapping",
      "BulkModel",
      "BulkCoding"
    ),
    tests(
      "BulkReportTests",
      of: "BulkReport",
      "BulkVerify",
      "BulkExecute",
      "BulkPlan",
      "BulkVersions",
      "BulkModel",
      "BulkCoding"
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
      "BulkVersions",
      "BulkMapping",
      "BulkStore",
      "BulkModel",
      "BulkFixture",
      "BulkCoding",
      "NotesPolicySources",
      "ExamplePolicySources"
    ),
  ],
  swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2

import PackageDescription

/// Policies for apps and tools, and a tool that has them: bulkmigrate's command line, and one policy more.
let package = Package(
  name: "notes-policies",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "NotesPolicies", targets: ["NotesPolicies"]),
    .executable(name: "notesmigrate", targets: ["notesmigrate"]),
  ],
  dependencies: [
    // In a project of your own: .package(url: "…/bulkmigrate", from: "0.1.0")
    .package(name: "bulkmigrate", path: "../../..")
  ],
  targets: [
    .target(
      name: "NotesPolicies",
      dependencies: [.product(name: "BulkMigrate", package: "bulkmigrate")]
    ),
    .executableTarget(
      name: "notesmigrate",
      dependencies: [
        "NotesPolicies",
        .product(name: "BulkMigrateCommand", package: "bulkmigrate"),
      ]
    ),
    .testTarget(
      name: "NotesPoliciesTests",
      dependencies: [
        "NotesPolicies",
        .product(name: "BulkMigrate", package: "bulkmigrate"),
        .product(name: "BulkFixture", package: "bulkmigrate"),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2

import PackageDescription

/// Policies for apps and tools, and a tool that has them: bulkmigrate's command line, and two policies and a transformer more.
let package = Package(
  name: "example-policies",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "ExamplePolicies", targets: ["ExamplePolicies"]),
    .executable(name: "examplesmigrate", targets: ["examplesmigrate"]),
  ],
  dependencies: [
    // In a project of your own: .package(url: "…/bulkmigrate", from: "0.1.0")
    .package(name: "bulkmigrate", path: "../../..")
  ],
  targets: [
    .target(
      name: "ExamplePolicies",
      dependencies: [.product(name: "BulkMigrate", package: "bulkmigrate")]
    ),
    .executableTarget(
      name: "examplesmigrate",
      dependencies: [
        "ExamplePolicies",
        .product(name: "BulkMigrateCommand", package: "bulkmigrate"),
      ]
    ),
    .testTarget(
      name: "ExamplePoliciesTests",
      dependencies: [
        "ExamplePolicies",
        .product(name: "BulkMigrate", package: "bulkmigrate"),
        .product(name: "BulkFixture", package: "bulkmigrate"),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)

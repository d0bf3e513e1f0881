// swift-tools-version: 6.2

import PackageDescription

/// bulkmigrate's command line with the policies that bench/run policies measures.
let package = Package(
  name: "policies",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "bulkmigrate", path: "../../..")],
  targets: [
    .executableTarget(
      name: "policymigrate",
      dependencies: [
        .product(name: "BulkMigrate", package: "bulkmigrate"),
        .product(name: "BulkMigrateCommand", package: "bulkmigrate"),
      ]
    )
  ],
  swiftLanguageModes: [.v6]
)

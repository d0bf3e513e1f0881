/// The targets from bottom to top, each with the targets that it may import.
///
/// The same rows stand in `Package.swift`; a change of the house is made in both.
struct LayerDiagram {
  struct Row: Equatable, Sendable {
    let target: String
    let lower: Set<String>
  }

  let rows: [Row]
  /// The modules of the system and of the toolchain that every target may import.
  let systemModules: Set<String>
  /// The target that stands for the platform, and the only one that knows on which it is.
  let platform: String
  /// The system's libraries by their names on the platforms, which that target alone imports.
  let platformModules: Set<String>
  /// The C libraries, each of which belongs to one target alone.
  let cLibraries: Set<String>

  subscript(target: String) -> Row? { rows.first { $0.target == target } }

  static let bulkmigrate = LayerDiagram(
    rows: [
      Row(target: "CBulkSQLite", lower: []),
      Row(target: "CBulkZstd", lower: []),
      Row(target: "BulkPlatform", lower: []),
      Row(target: "BulkCoding", lower: ["BulkPlatform"]),
      Row(target: "BulkSQLite", lower: ["BulkPlatform", "CBulkSQLite"]),
      Row(target: "BulkModel", lower: ["BulkPlatform", "BulkCoding"]),
      Row(target: "BulkMapping", lower: ["BulkPlatform", "BulkCoding", "BulkModel"]),
      Row(
        target: "BulkStore",
        lower: ["BulkPlatform", "BulkCoding", "BulkModel", "BulkSQLite"]
      ),
      Row(target: "BulkAssociation", lower: ["BulkPlatform", "CBulkZstd"]),
      Row(
        target: "BulkFixture",
        lower: ["BulkPlatform", "BulkCoding", "BulkModel", "BulkSQLite", "BulkStore"]
      ),
      Row(
        target: "BulkVersions",
        lower: ["BulkPlatform", "BulkCoding", "BulkModel", "BulkMapping", "BulkStore"]
      ),
      Row(
        target: "BulkLowering",
        lower: [
          "BulkPlatform", "BulkCoding", "BulkSQLite", "BulkModel", "BulkMapping", "BulkStore",
          "BulkVersions",
        ]
      ),
      Row(
        target: "BulkPlan",
        lower: [
          "BulkPlatform", "BulkCoding", "BulkModel", "BulkMapping", "BulkStore", "BulkVersions",
          "BulkLowering",
        ]
      ),
      Row(
        target: "BulkExecute",
        lower: [
          "BulkPlatform", "BulkCoding", "BulkSQLite", "BulkModel", "BulkMapping", "BulkStore",
          "BulkAssociation",
          "BulkVersions", "BulkLowering", "BulkPlan",
        ]
      ),
      Row(
        target: "BulkVerify",
        lower: [
          "BulkPlatform", "BulkCoding", "BulkSQLite", "BulkModel", "BulkMapping", "BulkStore",
          "BulkVersions", "BulkLowering", "BulkPlan", "BulkExecute",
        ]
      ),
      Row(
        target: "BulkPreflight",
        lower: [
          "BulkPlatform", "BulkCoding", "BulkSQLite", "BulkModel", "BulkMapping", "BulkStore",
          "BulkVersions", "BulkLowering", "BulkPlan", "BulkExecute",
        ]
      ),
      Row(
        target: "BulkReport",
        lower: [
          "BulkPlatform", "BulkCoding", "BulkStore", "BulkVersions", "BulkPlan", "BulkExecute",
          "BulkVerify",
        ]
      ),
      Row(
        target: "BulkMigrate",
        lower: [
          "BulkPlatform", "BulkCoding", "BulkModel", "BulkMapping", "BulkStore", "BulkVersions",
          "BulkPlan", "BulkExecute", "BulkVerify", "BulkPreflight", "BulkReport",
        ]
      ),
      Row(
        target: "BulkFleet",
        lower: [
          "BulkPlatform", "BulkCoding", "BulkSQLite", "BulkModel", "BulkStore", "BulkVersions",
          "BulkPlan", "BulkExecute", "BulkVerify", "BulkReport", "BulkMigrate",
        ]
      ),
      Row(
        target: "BulkMigrateCommand",
        lower: [
          "BulkPlatform", "BulkCoding", "BulkSQLite", "BulkModel", "BulkMapping", "BulkFixture",
          "BulkVersions", "BulkPlan", "BulkExecute", "BulkVerify", "BulkPreflight", "BulkReport",
          "BulkMigrate", "BulkFleet",
        ]
      ),
      Row(target: "BulkMigrateTool", lower: ["BulkMigrateCommand"]),
    ],
    systemModules: ["Synchronization"],
    platform: "BulkPlatform",
    platformModules: ["Darwin", "Foundation", "FoundationEssentials", "Glibc", "Musl"],
    cLibraries: ["CBulkSQLite", "CBulkZstd"]
  )
}

// usage: swift tools/load-mappings.swift FILE.cdm...
//
// Loads compiled mapping models with Core Data, on a Mac, and lists what they hold. It ends with 1 if one is not loaded.

import CoreData

var failed = false
for path in CommandLine.arguments.dropFirst() {
  guard let model = NSMappingModel(contentsOf: URL(fileURLWithPath: path)) else {
    print("\(path): Core Data does not load it")
    failed = true
    continue
  }
  print("\(path):")
  for mapping in model.entityMappings {
    print("  \(mapping.name ?? "no name"), type \(mapping.mappingType.rawValue)")
    print("    \(mapping.sourceEntityName ?? "-") -> \(mapping.destinationEntityName ?? "-")")
    print("    \(mapping.sourceExpression?.description ?? "no source expression")")
    for property in (mapping.attributeMappings ?? []) + (mapping.relationshipMappings ?? []) {
      print("    \(property.name ?? "no name") = \(property.valueExpression?.description ?? "-")")
    }
  }
}
exit(failed ? 1 : 0)

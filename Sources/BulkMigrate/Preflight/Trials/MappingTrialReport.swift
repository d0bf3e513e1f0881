/// What a mapping file makes of some objects of a store.
package struct MappingTrialReport: Encodable, Sendable {
  /// As given.
  package let mapping: String
  /// As given.
  package let source: String
  /// In the order of the file.
  package internal(set) var entityMappings: [TriedMapping] = []
  /// The entity mappings that are inferred and were not tried.
  package internal(set) var omitted: [String] = []

  package var isSound: Bool {
    entityMappings.allSatisfy { tried in
      tried.errors.isEmpty && (tried.course?.failed ?? 0) == 0
        && tried.objects.allSatisfy { object in object.values.allSatisfy { $0.error == nil } }
    }
  }
}

/// What an entity mapping makes of some objects.
package struct TriedMapping: Encodable, Sendable {
  package let name: String
  /// Absent where objects are made from nothing.
  package let source: String?
  /// Absent where objects are removed.
  package let destination: String?
  /// What is not done here, what is lost, and further notes, a sentence each.
  package internal(set) var notes: [String] = []
  /// What is wrong with the entity mapping as a whole: with its filter, its collection, or a name in it.
  package internal(set) var errors: [TrialError] = []
  package internal(set) var objects: [TriedObject] = []
  /// Absent where none were looked for.
  package internal(set) var course: SampleCourse?
}

/// A source object, and the values of what is made of it.
package struct TriedObject: Encodable, Sendable {
  package let key: Int64
  /// The element of its collection for which an object is made; absent without `forEach`.
  package internal(set) var element: TriedElement?
  /// The properties of the destination, after what keeps them from being made.
  package internal(set) var values: [TriedValue] = []
}

/// An element of a collection.
package struct TriedElement: Encodable, Sendable {
  /// In the collection, from 1.
  package let position: Int
  /// Of elements.
  package let count: Int
  package let value: TrialValue
}

/// A property of a destination object, before and after.
package struct TriedValue: Encodable, Sendable {
  package enum Kind: String, Encodable, Sendable {
    case attribute
    case relationship
    /// The filter of the entity mapping, which failed.
    case filter
    /// The collection of the entity mapping.
    case forEach
  }

  package struct Input: Encodable, Sendable {
    /// The names from the source object to it, with dots; empty for the object itself.
    package let path: String
    package let value: TrialValue
  }

  package let kind: Kind
  package let name: String
  package internal(set) var before: [Input] = []
  /// Absent after an error, and where nothing is evaluated.
  package internal(set) var after: TrialValue?
  /// The expression, or what else makes the value.
  package let by: String
  /// Absent without a note.
  package internal(set) var note: String?
  package internal(set) var error: TrialError?

  init(_ kind: Kind, _ name: String, by: String) {
    (self.kind, self.name, self.by) = (kind, name, by)
  }
}

/// Why an expression has no value.
package struct TrialError: Encodable, Hashable, Sendable {
  /// Absent where the file has no lines.
  package internal(set) var path: String?
  /// From 1.
  package internal(set) var line: Int?
  /// From 1, in Unicode scalars.
  package internal(set) var column: Int?
  package internal(set) var reason: String
}

extension TrialError: CustomStringConvertible {
  /// As a compiler writes them.
  package var description: String {
    let location = [path, line.map(String.init), column.map(String.init)].compactMap(\.self)
    return location.isEmpty ? reason : "\(location.joined(separator: ":")): \(reason)"
  }
}

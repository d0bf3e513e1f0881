internal import BulkSupport
internal import BulkModel
internal import BulkSQLite

/// The rules of a model that every object of an entity table must satisfy.
struct ValidationRules {
  private let schema: StoreSchema
  /// The store beside which required external values must have their files; `nil` if all have.
  private let files: String?
  /// In the order of the columns.
  private(set) var rules: [ValidationRule] = []
  private(set) var unchecked: [UncheckedRule] = []

  init(_ table: EntityTable, of schema: StoreSchema, files: String? = nil) {
    (self.schema, self.files) = (schema, files)
    for column in table.columns {
      switch column.role {
      case .attribute(let key): addAttribute(key, column.name)
      case .foreignKey(let key): addToOne(key, column.name)
      case .primaryKey, .entity, .version, .foreignEntity, .orderKey,
        .hiddenForeignKey, .hiddenOrderKey, .unmanaged:
        break
      }
    }
    guard let root = schema.model.entity(named: table.root) else { return }
    for entity in schema.model.hierarchy(from: root) {
      for relationship in entity.relationships where relationship.isToMany {
        addToMany(PropertyKey(entity.name, relationship.name), relationship)
      }
    }
  }

  private func numbers(of entity: EntityDescription) -> [Int64] {
    schema.model.hierarchy(from: entity).filter { !$0.isAbstract }
      .map { schema.numbering.number(of: $0.name) }.sorted()
  }

  private mutating func add(
    _ key: PropertyKey,
    _ text: String,
    value: String,
    where condition: String,
    _ test: ValidationRule.Test = .none,
    of column: String? = nil,
    isRequirement: Bool = false
  ) {
    guard let entity = schema.model.entity(named: key.entity) else { return }
    let entities = numbers(of: entity)
    guard !entities.isEmpty else { return }
    rules.append(
      ValidationRule(
        entities: entities,
        property: key.property,
        text: text,
        value: value,
        condition: condition,
        test: test,
        column: column,
        isRequirement: isRequirement
      )
    )
  }

  private mutating func addAttribute(_ key: PropertyKey, _ name: String) {
    guard let attribute = schema.model.attribute(key), !attribute.isDerived else { return }
    let column = "d.\(SQLText.quoted(name))"
    if !attribute.isOptional {
      let files = attribute.allowsExternalBinaryDataStorage ? files : nil
      let isNull = "\(column) IS NULL"
      add(
        key,
        "required",
        value: column,
        where: files == nil ? isNull : "(\(isNull) OR \(ExternalBinaryData.condition(on: column)))",
        files.map { .lacksFile(beside: $0) } ?? .none,
        of: name,
        isRequirement: files == nil
      )
    }
    for predicate in attribute.validationPredicates {
      guard let reason = reasonNotChecked(predicate, key, name) else { continue }
      unchecked.append(
        UncheckedRule(
          entity: key.entity,
          attribute: key.property,
          rule: predicate.description,
          reason: reason
        )
      )
    }
  }

  private mutating func addToOne(_ key: PropertyKey, _ name: String) {
    guard let relationship = schema.model.relationship(key), !relationship.isOptional else {
      return
    }
    let column = "d.\(SQLText.quoted(name))"
    add(key, "required", value: column, where: "\(column) IS NULL")
  }

  private static let unknownForm = "has none of the forms in which models keep limits"

  /// Adds a predicate of one of the forms in which models keep limits; otherwise returns why it cannot be checked.
  private mutating func reasonNotChecked(
    _ predicate: ValuePredicate,
    _ key: PropertyKey,
    _ name: String
  ) -> String? {
    let column = "d.\(SQLText.quoted(name))"
    guard
      case .comparison(let comparison) = predicate, comparison.modifier == .direct,
      case .constant(let limit) = comparison.right
    else { return Self.unknownForm }
    let length = "length(CAST(\(column) AS BLOB))"
    let condition: String
    var test = ValidationRule.Test.none
    switch (comparison.left, comparison.operator, limit) {
    case (.keyPath("length", of: .evaluatedObject), .greaterThanOrEqualTo, .integer(let least)):
      // A UTF-16 unit takes at most three bytes of UTF-8.
      let (bytes, overflow) = least.multipliedReportingOverflow(by: 3)
      condition = "\(length) < \(overflow ? .max : bytes)"
      test = .shorterThan(Int(clamping: least))
    case (.keyPath("length", of: .evaluatedObject), .lessThanOrEqualTo, .integer(let greatest)):
      // A UTF-16 unit takes at least one byte of UTF-8.
      condition = "\(length) > \(greatest)"
      test = .longerThan(Int(clamping: greatest))
    case (.evaluatedObject, .greaterThanOrEqualTo, _) where limit.isNumber:
      condition = "\(column) < \(ColumnCoding.value(of: limit).literal)"
    case (.evaluatedObject, .lessThanOrEqualTo, _) where limit.isNumber:
      condition = "\(column) > \(ColumnCoding.value(of: limit).literal)"
    case (.evaluatedObject, .matches, .string(let pattern)):
      guard comparison.options == [] else { return "matches with options" }
      do throws(RegularExpressionFault) {
        test = .differsFrom(try RegularExpression(pattern))
      } catch {
        return error.description
      }
      condition = "\(column) IS NOT NULL"
    default: return Self.unknownForm
    }
    add(key, predicate.description, value: column, where: condition, test, of: name)
    return nil
  }

  private mutating func addToMany(_ key: PropertyKey, _ relationship: RelationshipDescription) {
    guard
      !relationship.isTransient,
      let rows = schema.rows(of: key)
    else { return }
    let members =
      "(SELECT count(*) FROM main.\(SQLText.quoted(rows.table)) "
      + "WHERE \(SQLText.quoted(rows.nearColumn)) = d.Z_PK)"
    // A relationship that is not optional may still be empty if no minimum is stated, as in stores that
    // Core Data wrote (formats/migration.md 8.20).
    let least = relationship.minCount
    if least > 0 {
      // An optional relationship may be empty, whatever its minimum.
      let isEmptyAllowed = relationship.isOptional ? " AND \(members) > 0" : ""
      add(
        key,
        "at least \(least) \(least == 1 ? "object" : "objects")",
        value: members,
        where: "\(members) < \(least)\(isEmptyAllowed)"
      )
    }
    if relationship.maxCount > 0 {
      add(
        key,
        "at most \(relationship.maxCount) \(relationship.maxCount == 1 ? "object" : "objects")",
        value: members,
        where: "\(members) > \(relationship.maxCount)"
      )
    }
  }
}

extension AttributeValue {
  fileprivate var isNumber: Bool {
    switch self {
    case .integer, .double, .decimal, .date, .boolean: true
    case .null, .string, .binary, .uuid, .uri: false
    }
  }
}

/// The columns that decide which objects of a store satisfy the rules of its model: keys, and the
/// columns that rules and uniqueness constraints refer to.
package struct RuledColumns: Sendable {
  /// The columns by entity table; a table that is not listed has all of its columns.
  private let columns: [String: Set<String>]

  /// The columns of a store with some indexes; of whole tables every column counts.
  package init(_ schema: StoreSchema, _ indexes: [SchemaIndex], whole: Set<String> = []) {
    var columns: [String: Set<String>] = [:]
    for table in schema.entityTables where !whole.contains(table.name) {
      let unique = indexes.filter { $0.isUnique && $0.table == table.name }
      // The columns of a condition are not known here.
      if unique.contains(where: { $0.condition != nil }) { continue }
      columns[table.name] = Set(table.columns.filter(\.isOfLinks).map(\.name))
        .union(ValidationRules(table, of: schema).rules.compactMap(\.column))
        .union(unique.flatMap { $0.terms.map(\.column) })
    }
    self.columns = columns
  }

  package func contain(_ column: String, of table: String) -> Bool {
    columns[table]?.contains(column) ?? true
  }

  package func contain(_ index: SchemaIndex) -> Bool {
    index.condition == nil && index.terms.allSatisfy { contain($0.column, of: index.table) }
  }
}

extension SchemaColumn {
  /// Whether it identifies the object of a row, or those to which it leads.
  fileprivate var isOfLinks: Bool {
    switch role {
    case .primaryKey, .entity, .foreignKey, .foreignEntity, .hiddenForeignKey: true
    case .version, .attribute, .orderKey, .hiddenOrderKey, .unmanaged: false
    }
  }
}

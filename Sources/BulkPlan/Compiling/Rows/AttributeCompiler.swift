package import BulkMapping
package import BulkModel
package import BulkStore

/// Determines how destination attributes get their values from the objects of a source entity, and how to select
/// these.
package struct AttributeCompiler: Sendable {
  private let inputs: InputCompiler
  private let entity: EntityDescription
  private let isUTF8: Bool
  /// `nil` if `$element` does not exist.
  var element: ExpressionType?
  private let evaluates: Bool

  /// Texts of stores that Core Data makes are in UTF-8.
  ///
  /// With `evaluates` even what SQL can express is evaluated, but for columns that are only copied.
  package init(
    _ source: StoreSchema,
    of entity: EntityDescription,
    isUTF8: Bool = true,
    evaluates: Bool = false
  ) {
    inputs = InputCompiler(source)
    self.entity = entity
    self.isUTF8 = isUTF8
    self.evaluates = evaluates
  }

  /// By SQL where that has exactly the same meaning, otherwise by a program.
  ///
  /// Throws ``ExpressionFault`` with the obstacle to evaluation or assignment.
  package func value(
    _ meaning: AttributeMeaning,
    of attribute: AttributeDescription
  ) throws(ExpressionFault) -> CompiledValue {
    switch meaning {
    case .defaultValue: return .sql(.defaultValue(of: attribute))
    case .copy(let path): return try value(InferredValue.copy(path), of: attribute)
    case .copyOrDefault(let name): return try copyOrDefault(name, of: attribute)
    case .constant(let constant):
      return try value(ValueExpression.constant(constant), of: attribute)
    case .expression(let expression): return try value(expression, of: attribute)
    case .policy(let selector, let arguments):
      let programs = try arguments.map { argument throws(ExpressionFault) in
        try ExpressionProgram(argument, of: entity, in: inputs.source.model)
      }
      return .policy(selector: selector, arguments: programs)
    }
  }

  /// Of predicates joined by AND, SQL tests those at the beginning that it can express.
  ///
  /// A row that SQL excludes is not evaluated and cannot fail, so SQL tests none behind one that may. Where
  /// everything is evaluated SQL tests nothing. Throws ``ExpressionFault`` with the obstacle to evaluation.
  package func filter(_ predicate: ValuePredicate) throws(ExpressionFault) -> CompiledFilter {
    let program = try PredicateProgram(predicate, of: entity, in: inputs.source.model)
    if evaluates { return CompiledFilter(condition: nil, program: program) }
    let compiler = compiler(program.inputs)
    if let condition = compiler.condition(program.root) {
      return CompiledFilter(condition: condition, program: nil)
    }
    guard case .and(let parts) = program.root else {
      return CompiledFilter(condition: nil, program: program)
    }
    let conditions = parts.map { compiler.condition($0) }.prefix { $0 != nil }.compactMap(\.self)
    return CompiledFilter(
      condition: conditions.isEmpty ? nil : .and(conditions),
      program: program
    )
  }

  /// `nil` if the attribute does not continue a source attribute.
  package func kept(
    _ meaning: AttributeMeaning,
    of attribute: AttributeDescription
  ) -> ColumnExpression? {
    switch meaning {
    case .copy(let name): return copied(name, to: attribute)
    case .copyOrDefault(let name):
      return copied(name, to: attribute)?.orDefault(.defaultValue(of: attribute))
    default: return nil
    }
  }

  private func copied(
    _ name: String,
    to attribute: AttributeDescription
  ) -> ColumnExpression? {
    inputs.attribute([name], from: entity)?.stored(as: attribute)
  }

  private func value(
    _ expression: ValueExpression,
    of attribute: AttributeDescription
  ) throws(ExpressionFault) -> CompiledValue {
    let program = try ExpressionProgram(
      expression,
      of: entity,
      in: inputs.source.model,
      element: element
    )
    let conversion = try AttributeConversion(of: program.root, to: attribute)
    if !evaluates || isCopiedWhole(program, to: attribute), let sql = sql(program, conversion) {
      return .sql(sql)
    }
    return .program(ConvertedProgram(program: program, conversion: conversion))
  }

  private func copyOrDefault(
    _ name: String,
    of attribute: AttributeDescription
  ) throws(ExpressionFault) -> CompiledValue {
    let source = InferredValue.copy(name)
    let copied = try value(source, of: attribute)
    if case .sql(let value) = copied {
      return .sql(value.orDefault(.defaultValue(of: attribute)))
    }
    guard case .program(let program) = copied, let initial = attribute.defaultValue else {
      return copied
    }
    let choice = InferredValue.choice(source, or: .constant(initial))
    return .program(
      ConvertedProgram(
        program: try ExpressionProgram(choice, of: entity, in: inputs.source.model),
        conversion: program.conversion
      )
    )
  }

  private func compiler(_ inputs: [SourceInput]) -> ComputationCompiler {
    ComputationCompiler(inputs: self.inputs, program: inputs, entity: entity, isUTF8: isUTF8)
  }

  private func sql(
    _ program: ExpressionProgram,
    _ conversion: AttributeConversion
  ) -> ColumnExpression? {
    let attribute = conversion.attribute
    if let constant = program.root.constantValue {
      guard case .success(let value) = conversion.value(of: constant) else { return nil }
      return .value(value, in: attribute)
    }
    let compiler = compiler(program.inputs)
    if let copied = compiler.copied(program.root) { return copy(copied, program.root, attribute) }
    guard !attribute.allowsExternalBinaryDataStorage, let value = compiler.value(program.root)
    else { return nil }
    return Self.converted(value, program.root.type, attribute.attributeType)
  }

  /// Of the same type, or it may be in a file and is therefore only copied whole.
  private func isCopiedWhole(
    _ program: ExpressionProgram,
    to attribute: AttributeDescription
  ) -> Bool {
    if attribute.allowsExternalBinaryDataStorage { return true }
    guard let copied = compiler(program.inputs).copied(program.root) else { return false }
    return copied.isColumn(of: attribute.attributeType)
      || copied.attribute.allowsExternalBinaryDataStorage
  }

  private func copy(
    _ copied: InputCompiler.StoredAttribute,
    _ node: ExpressionNode,
    _ attribute: AttributeDescription
  ) -> ColumnExpression? {
    let isExternal = copied.attribute.allowsExternalBinaryDataStorage
    // The file of a value belongs to one row, so another object's value is read from its row only.
    if isExternal, case .columnOfRow = copied.expression { return nil }
    if isExternal || attribute.allowsExternalBinaryDataStorage {
      return copied.stored(as: attribute)
    }
    let type = attribute.attributeType
    return Self.converted(
      copied.isColumn(of: type) ? copied.expression : copied.value,
      node.type,
      type
    )
  }

  /// `nil` where some value would differ from that of the conversion.
  private static func converted(
    _ value: ColumnExpression,
    _ type: ExpressionType,
    _ attribute: AttributeType
  ) -> ColumnExpression? {
    switch attribute.kind {
    case .integer:
      return type.fits(attribute.integerRange) ? value : nil
    case .boolean:
      if type == .boolean { return value }
      return type.isNumber && type != .number ? .isNonzero(value) : nil
    // The column converts integers to real numbers.
    case .double: return type.isNumber && type != .number ? value : nil
    case .decimal:
      return type == .decimal || ComputationCompiler.isExactDouble(type) ? value : nil
    case .string, .uri, .date, .uuid, .binary: return type.isOpen && type != .null ? nil : value
    case nil: return nil
    }
  }
}

extension InputCompiler.StoredAttribute {
  /// Whether it is in the row itself and of a type, so that its column is copied whatever it holds.
  fileprivate func isColumn(of type: AttributeType) -> Bool {
    if case .column = expression { attribute.attributeType == type } else { false }
  }

  /// A value that may be in an external file is preceded by a byte that says where it is.
  fileprivate func stored(as other: AttributeDescription) -> ColumnExpression {
    switch (attribute.allowsExternalBinaryDataStorage, other.allowsExternalBinaryDataStorage) {
    case (false, true): .prefixed(expression)
    case (true, false): .unprefixed(expression)
    case (false, false), (true, true): expression
    }
  }
}

extension ColumnExpression {
  fileprivate func orDefault(_ initial: ColumnExpression) -> ColumnExpression {
    initial == .null ? self : .firstNonNull(self, initial)
  }
}

/// The source of a destination attribute's column value.
package enum CompiledValue: Hashable, Sendable {
  case sql(ColumnExpression)
  case program(ConvertedProgram)
  /// A function of the mapping's policy, with its arguments.
  case policy(selector: String, arguments: [ExpressionProgram])
}

/// A value that is evaluated page by page.
///
/// `ColumnCoding` writes a converted value to the attribute's column.
package struct ConvertedProgram: Hashable, Sendable {
  package let program: ExpressionProgram
  package let conversion: AttributeConversion
}

/// The filter of a mapping's source rows, which must satisfy both parts.
package struct CompiledFilter: Hashable, Sendable {
  /// `nil` if SQL tests nothing.
  package let condition: ColumnExpression?
  /// `nil` if SQL tests all.
  package let program: PredicateProgram?
}

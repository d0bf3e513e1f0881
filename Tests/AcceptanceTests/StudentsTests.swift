import BulkTestSupport
import Testing

/// The migrations of `Plans/students`.
struct StudentsTests {
  private static let package = "LearnCoreData.xcdatamodeld"
  private static let model1 = "\(package)/LearnCoreData.xcdatamodel"
  private static let model2 = "\(package)/LearnCoreData 2.xcdatamodel"
  private let example: Example

  init() throws { example = try Example("students") }

  /// The rows that C-1 asks for, whoever names the renaming identifiers.
  private func expectVersion2(_ store: StoreFile) throws {
    #expect(
      try store.tables() == [
        "ZCLAZZ", "ZCOURSE", "ZSTUDENT", "Z_2STUDENTS", "Z_METADATA", "Z_MODELCACHE",
        "Z_PRIMARYKEY",
      ]
    )
    #expect(
      try store.rows(of: "ZSTUDENT", "Z_PK", "Z_ENT", "ZID", "ZNAME", "ZAGE", "ZSEX", "ZCLAZZ")
        == School.students.enumerated().map { index, student -> [StoredValue] in
          [
            .integer(Int64(index) + 1), 3, .integer(student.id), .text(student.name),
            .integer(student.age), 1, .integer(student.classKey),
          ]
        }
    )
    #expect(
      try store.rows(of: "ZCLAZZ", "Z_PK", "Z_ENT", "ZCLASSID", "ZCLAZZNAME")
        == [[1, 1, 1, "文科一班"], [2, 1, 2, "理科一班"]]
    )
    #expect(
      try store.rows(
        "SELECT Z_2COURSES, count(*), min(Z_3STUDENTS), max(Z_3STUDENTS) FROM Z_2STUDENTS GROUP BY 1"
      ) == [
        [1, 150, 2, 300], [2, 150, 2, 300], [3, 150, 2, 300],
        [4, 150, 1, 299], [5, 150, 1, 299], [6, 150, 1, 299],
      ]
    )
  }

  @Test func `C-1, names change by renaming identifiers`() throws {
    try example.write(School.version1(example.model(Self.model1)), as: "LearnCoreData.sqlite")
    try expectVersion2(try example.migrate(by: "v1-to-v2.json"))
  }

  /// S0-20: the new version's identifiers are the old names, and the old version has none.
  @Test func `C-1, the same with identifiers in the new version alone`() throws {
    let oldNames = [
      "Clazz": "ClassEntity", "Course": "CourseEntity", "Student": "StudentEntity",
      "clazzName": "className", "age": "studentAge", "id": "studentId", "name": "studentName",
      "clazz": "studentClass",
    ]
    let model1 = try Self.identified(example.model(Self.model1)) { _ in nil }
    let model2 = try Self.identified(example.model(Self.model2)) { oldNames[$0] }
    try TestStore.write(model1, to: example.path("1.mom"))
    try TestStore.write(model2, to: example.path("2.mom"))
    try example.write(School.version1(model1), as: "LearnCoreData.sqlite")
    let plan = try example.plan("v1-to-v2.json", sourceModel: "1.mom", destinationModel: "2.mom")
    try expectVersion2(try example.run(plan))
  }

  /// A model with other renaming identifiers, by the names of entities and properties.
  private static func identified(
    _ model: ManagedObjectModel,
    _ identifier: (String) -> String?
  ) throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: model.entities.map { entity in
        var entity = entity
        entity.renamingIdentifier = identifier(entity.name)
        for index in entity.attributes.indices {
          entity.attributes[index].renamingIdentifier = identifier(entity.attributes[index].name)
        }
        for index in entity.relationships.indices {
          let name = entity.relationships[index].name
          entity.relationships[index].renamingIdentifier = identifier(name)
        }
        return entity
      }
    )
  }

  @Test func `C-2, a class becomes an attribute of its students`() throws {
    try example.write(School.version2(example.model(Self.model2)), as: "LearnCoreData-v2.sqlite")
    let store = try example.migrate(by: "v2-to-v3.json")
    #expect(
      try store.tables() == [
        "ZCOURSE", "ZSTUDENT", "Z_1STUDENTS", "Z_METADATA", "Z_MODELCACHE", "Z_PRIMARYKEY",
      ]
    )
    #expect(
      try store.rows(of: "Z_PRIMARYKEY", "Z_ENT", "Z_NAME", "Z_MAX")
        == [[1, "Course", 6], [2, "Student", 300]]
    )
    #expect(
      try store.rows(of: "ZCOURSE", "Z_PK", "Z_ENT", "ZID", "ZNAME", "ZCHAPTERCOUNT") == [
        [1, 1, 1, "物理", 5], [2, 1, 2, "化学", 9], [3, 1, 3, "生物", 10],
        [4, 1, 4, "语文", 12], [5, 1, 5, "历史", 19], [6, 1, 6, "地理", 21],
      ]
    )
    #expect(
      try store.rows(of: "ZSTUDENT", "Z_PK", "Z_ENT", "ZID", "ZNAME", "ZAGE", "ZSEX", "ZCLAZZNAME")
        == School.students.enumerated().map { index, student -> [StoredValue] in
          [
            .integer(Int64(index) + 1), 2, .integer(student.id), .text(student.name),
            .integer(student.age), 1, .text(student.className),
          ]
        }
    )
    #expect(
      try store.rows("SELECT ZCLAZZNAME, count(*) FROM ZSTUDENT GROUP BY 1 ORDER BY 1")
        == [["文科一班", 150], ["理科一班", 150]]
    )
    #expect(
      try store.rows(
        "SELECT s.Z_PK, c.ZNAME FROM Z_1STUDENTS j JOIN ZSTUDENT s ON s.Z_PK = j.Z_2STUDENTS "
          + "JOIN ZCOURSE c ON c.Z_PK = j.Z_1COURSES ORDER BY s.Z_PK, c.Z_PK"
      )
        == School.students.enumerated().flatMap { index, student -> [[StoredValue]] in
          student.courseKeys.map { key in
            [.integer(Int64(index) + 1), .text(School.courses[Int(key) - 1].name)]
          }
        }
    )
    #expect(try store.rows("SELECT count(*) FROM Z_1STUDENTS") == [[900]])
  }

  @Test func `C-2, a student without a class has no name of one`() throws {
    let store = TestStore(
      try example.model(Self.model2),
      TestObject("Student", 1, ["age": 11, "id": 7, "name": "student-1", "sex": .boolean(false)])
    )
    try example.write(store, as: "LearnCoreData-v2.sqlite")
    #expect(
      try example.migrate(by: "v2-to-v3.json")
        .rows(of: "ZSTUDENT", "Z_PK", "ZNAME", "ZSEX", "ZCLAZZNAME")
        == [[1, "student-1", 0, nil]]
    )
  }

  @Test func `C-1 and C-2 follow one another`() throws {
    try example.write(School.version1(example.model(Self.model1)), as: "LearnCoreData.sqlite")
    _ = try example.migrate(by: "v1-to-v2.json")
    let store = try example.migrate(by: "v2-to-v3.json")
    #expect(
      try store.rows("SELECT count(*), sum(ZSEX), count(ZCLAZZNAME) FROM ZSTUDENT")
        == [[300, 300, 300]]
    )
    #expect(try store.rows("SELECT count(*) FROM Z_1STUDENTS") == [[900]])
  }
}

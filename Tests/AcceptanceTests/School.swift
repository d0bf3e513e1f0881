import BulkTestSupport

/// Students, classes and courses, the random numbers drawn with a fixed seed.
enum School {
  /// A student, whose key is the place in ``students``, from 1.
  struct Student {
    let name: String
    let age: Int64
    let id: Int64
    /// The key of the class: 1 for those at places 0, 2, 4 and so on.
    let classKey: Int64

    /// The keys of the courses, those of arts in class 1 and those of sciences in class 2.
    var courseKeys: [Int64] { classKey == 1 ? [4, 5, 6] : [1, 2, 3] }
    /// The name of the class.
    var className: String { classKey == 1 ? "文科一班" : "理科一班" }
  }

  /// The 300 students; ids may repeat.
  static let students: [Student] = {
    var random = SeededGenerator(seed: 300)
    return (0..<300).map { place in
      Student(
        name: "student-\(UInt32.random(in: 0..<100_000, using: &random))",
        age: 10 + Int64.random(in: 0..<10, using: &random),
        id: Int64.random(in: 0..<32_767, using: &random),
        classKey: place.isMultiple(of: 2) ? 1 : 2
      )
    }
  }()

  /// The courses, whose key is their id: name and number of chapters.
  static let courses: [(name: String, chapters: Int64)] = [
    ("物理", 5), ("化学", 9), ("生物", 10), ("语文", 12), ("历史", 19), ("地理", 21),
  ]

  /// The store of version 1.
  static func version1(_ model: ManagedObjectModel) -> TestStore {
    var store = TestStore(
      model,
      TestObject("ClassEntity", 1, ["classId": 1, "className": "文科一班"]),
      TestObject("ClassEntity", 2, ["classId": 2, "className": "理科一班"])
    )
    store.objects += courseObjects("CourseEntity")
    store.objects += students.enumerated().map { place, student in
      TestObject(
        "StudentEntity",
        Int64(place) + 1,
        [
          "studentName": .string(student.name), "studentId": .integer(student.id),
          "studentAge": .integer(student.age),
        ],
        links: ["studentClass": [student.classKey], "courses": student.courseKeys]
      )
    }
    return store
  }

  /// The store of version 2.
  static func version2(_ model: ManagedObjectModel) -> TestStore {
    var store = TestStore(
      model,
      .each("Clazz", ["classId": 1, "clazzName": "文科一班"], ["classId": 2, "clazzName": "理科一班"])
    )
    store.objects += courseObjects("Course")
    store.objects += students.enumerated().map { place, student in
      TestObject(
        "Student",
        Int64(place) + 1,
        [
          "name": .string(student.name), "id": .integer(student.id),
          "age": .integer(student.age), "sex": .boolean(true),
        ],
        links: ["clazz": [student.classKey], "courses": student.courseKeys]
      )
    }
    return store
  }

  private static func courseObjects(_ entity: String) -> [TestObject] {
    courses.enumerated().map { place, course in
      TestObject(
        entity,
        Int64(place) + 1,
        [
          "courseId": .integer(Int64(place) + 1), "courseName": .string(course.name),
          "courseChapterCount": .integer(course.chapters),
        ]
      )
    }
  }
}

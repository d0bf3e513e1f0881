import BulkMapping
import BulkModel
import Testing

struct KeyPathTests {
  private let school: School

  init() throws { school = try School() }

  @Test(
    arguments: [
      // A key path gives what key-value coding gives.
      ("$source.name", "'Zoë'"), ("name", "'Zoë'"), ("SELF.name", "'Zoë'"), ("nick", "nil"),
      ("$source", "Student 1"), ("SELF", "Student 1"), ("$source.self.name", "'Zoë'"),
      ("$source.clazz.clazzName", "'文科一班'"), ("clazz", "Clazz 1"), ("clazz.room", "7"),
      ("mentor", "nil"), ("mentor.name", "nil"), ("mentor.clazz.clazzName", "nil"),
      ("(clazz).room", "7"), ("address.street", "'Hauptstraße'"), ("address.zip", "10115"),
      ("courses.title", "set('物理', '化学', '生物')"), ("courses.fee", "set(1.5, 2.5)"),
      ("courses.teacher.name", "set('Ann')"), ("courses.teacher", "set(Student 2)"),
      ("courses.students", "set(set(Student 1, Student 2), set(Student 2), set())"),
      ("notes.text", "orderedSet('c', 'a')"), ("notes", "orderedSet(Note 3, Note 1, Note 2)"),
      ("mentor.courses", "nil"), ("mentor.courses.title", "nil"),
      ("FUNCTION($source, \"valueForKey:\", \"name\")", "'Zoë'"),
      ("FUNCTION($source, \"valueForKeyPath:\", \"clazz.room\")", "7"),
      ("FUNCTION(clazz, \"valueForKey:\", \"room\")", "7"),
      // The source object has an identity beside its properties.
      (
        "$source.objectID.URIRepresentation.absoluteString", "'x-coredata://A-1/Student/p1'"
      ),
      ("$source.objectID.URIRepresentation.path", "'/Student/p1'"),
      ("objectID.URIRepresentation.lastPathComponent", "'p1'"),
      (
        "FUNCTION(FUNCTION($source.objectID, \"URIRepresentation\"), \"lastPathComponent\")", "'p1'"
      ),
      ("FUNCTION(FUNCTION($source, \"objectID\"), \"lastPathComponent\")", "'p1'"),
      ("clazz.objectID", "fault: entity Clazz has no property objectID"),
      ("FUNCTION(clazz, \"objectID\")", "fault: entity Clazz has no property objectID"),
      ("site.host", "fault: host is read from a URI, which has no such key"),
      // Collection operators reckon with all elements.
      ("courses.@count", "3"), ("mentor.courses.@count", "0"), ("courses.@sum.chapters", "24"),
      ("courses.@avg.chapters", "8.0"), ("courses.@min.chapters", "5"), ("courses.@max.fee", "2.5"),
      ("courses.@sum.fee", "4.0"), ("courses.@avg.fee", "1.3333333333333333"),
      ("courses.@min.title", "'化学'"),
      ("average(courses.fee)", "2.0"), ("courses.@avg.teacher.height", "0.0"),
      ("mentor.courses.@avg.fee", "nil"), ("notes.@unionOfObjects.weight", "array(2, 3)"),
      ("notes.@distinctUnionOfObjects.text", "array('c', 'a')"),
      ("courses.@distinctUnionOfSets.students", "set(Student 1, Student 2)"),
      ("courses.@distinctUnionOfSets.students.name", "set('Zoë', 'Ann')"),
      ("courses.@distinctUnionOfArrays.students", "array(Student 1, Student 2)"),
      ("courses.@unionOfArrays.students", "array(Student 1, Student 2, Student 2)"),
      ("(courses.@distinctUnionOfSets.students).@count", "2"),
      ("(courses.@distinctUnionOfSets.students).name", "set('Zoë', 'Ann')"),
      ("mentor.courses.@sum.chapters", "nil"),
      ("courses.@middle.chapters", "fault: unknown collection operator @middle"),
      ("courses.@mi.chapters", "fault: unknown collection operator @mi; did you mean @min?"),
      ("clazz.@sum.room", "fault: @sum is read from an object of Clazz, which has no such key"),
      ("courses.@sum.title", "failure: sum: takes numbers, not a string"),
      // A subquery keeps the elements that satisfy it.
      ("SUBQUERY(courses, $c, $c.chapters > 5)", "set(Course 2, Course 3)"),
      ("SUBQUERY(courses, $c, $c.chapters > 5).@count", "2"),
      ("SUBQUERY(courses, $c, $c.chapters > 5).title", "set('化学', '生物')"),
      ("SUBQUERY(courses, $c, $c.chapters > 5).@sum.chapters", "19"),
      ("SUBQUERY(courses, $c, $c.teacher.name == \"Ann\").@count", "2"),
      // What surrounds the collection stays in reach.
      ("SUBQUERY(courses, $c, $c.chapters > clazz.room).title", "set('化学', '生物')"),
      (
        "SUBQUERY(courses, $c, SUBQUERY($c.students, $s, $s.age < $c.chapters + 20).@count > 0)",
        "set(Course 1, Course 2)"
      ),
      ("SUBQUERY(courses, $c, ANY $c.students.name == name).title", "set('物理')"),
      ("SUBQUERY(notes, $n, $n.text == \"a\")[FIRST]", "Note 1"),
      ("SUBQUERY(mentor.courses, $c, TRUEPREDICATE)", "nil"),
      ("SUBQUERY(courses, $c, 1 / ($c.chapters - 5) > 0)", "failure: divide:by: divides by zero"),
      (
        "SUBQUERY(FUNCTION('a,,b', 'componentsSeparatedByString:', ','), $x, $x != '')",
        "array('a', 'b')"
      ),
      ("SUBQUERY({1, 2, 3}, $x, $x > 1 AND $x < age)", "array(2, 3)"),
      ("SUBQUERY(courses.title, $t, $t == '物理')[SIZE]", "1"),
      ("SUBQUERY({'a', 'b'}, $x, SUBQUERY(courses, $c, $c.title == $x)[SIZE] == 0)[SIZE]", "2"),
      (
        "SUBQUERY({'a'}, $x, $x.name == 'a')",
        "fault: name is read from a string, which has no such key"
      ),
      ("SUBQUERY(name, $c, TRUEPREDICATE)", "fault: SUBQUERY takes objects of a relationship"),
      ("SUBQUERY(courses, $c, $d.title == nil)", "fault: nothing gives $d a value"),
      // A wrong path is refused with what is wrong.
      ("$source.nmae", "fault: entity Student has no property nmae; did you mean name?"),
      ("clazz.xyz123", "fault: entity Clazz has no property xyz123"),
      ("$sourc.name", "fault: nothing gives $sourc a value; did you mean $source?"),
      ("hidden", "fault: property hidden of entity Student is transient, so the store"),
      ("name.first", "fault: first is read from a string, which has no such key"),
      ("age.length", "fault: length is read from an integer, which has no such key"),
      ("address.stret", "fault: entity Address has no property stret; did you mean street?"),
      ("courses.titel", "fault: entity Course has no property titel; did you mean title?"),
      ("$destination.name", "fault: $destination has no value in an expression of a row"),
      ("$entityMapping.nam", "fault: $entityMapping has no value in an expression of a row"),
      ("$propertyMapping", "fault: $propertyMapping has no value in an expression of a row"),
      ("$manager", "fault: $manager has no value in an expression of a row"),
      ("{1, 2}.name", "fault: name is read from a collection of integers, which has no such key"),
    ] as [(String, String)]
  )
  func `a key path gives what key-value coding gives`(text: String, expected: String) throws {
    let found = try school.value(text)
    #expect(isAs(found, expected))
  }

  @Test func `only what is asked becomes an input`() throws {
    let program = try ExpressionProgram(
      ValueExpression(format: "clazz.clazzName.length + courses.@sum.chapters + courses.@count"),
      of: school.entity(),
      in: school.model
    )
    #expect(
      program.inputs == [
        SourceInput(["clazz", "clazzName"], .attribute(.string)),
        SourceInput(
          ["courses"],
          .objects(entity: "Course", isOrdered: false),
          members: [SourceInput(["chapters"], .attribute(.integer16))]
        ),
      ]
    )
  }
}

import Testing

import BulkSupport

struct NearestNameTests {
  @Test(arguments: [
    ("plan", "plan", 0),
    ("plna", "plan", 1),
    ("pan", "plan", 1),
    ("plans", "plan", 1),
    ("clan", "plan", 1),
    ("", "plan", 4),
    ("run", "plan", 3),
  ])
  func `a distance counts slips, and two swapped letters are one`(
    first: String,
    second: String,
    distance: Int
  ) {
    #expect(NearestName.distance(first, second) == distance)
  }

  @Test func `a name that is far from all others has no nearest`() {
    #expect(NearestName.of("destroy", among: ["plan", "run", "inspect"]) == nil)
    #expect(NearestName.of("anything", among: []) == nil)
  }

  @Test func `the nearest of several names is found`() {
    #expect(NearestName.of("inspct", among: ["plan", "run", "inspect"]) == "inspect")
  }
}

import BulkCoding
import Testing

@Suite("Watches over long work")
struct WorkWatchTests {
  @Test func `a question comes with every so many steps, until one says stop`() {
    var questions = 0
    let watch = WorkWatch {
      questions += 1
      return questions == 2
    }
    let half = WorkWatch.stepsBetweenChecks / 2
    #expect(
      (0..<6).map { _ in watch.isStopped(after: half) } == [false, false, false, true, true, true]
    )
    #expect(questions == 2)
  }

  /// The states of a repetition are followed all at once.
  @Test func `a text that takes long to match is given up when the watch stops`() throws {
    let expression = try RegularExpression("(a?){1000}b")
    let watch = WorkWatch { true }
    #expect(!expression.matchesWhole(String(repeating: "a", count: 1_000_000), watch))
    #expect(watch.isStopped)
  }
}

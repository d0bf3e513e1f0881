import BulkSupport
import Testing

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
}

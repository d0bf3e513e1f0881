import BulkVersions
import Testing

@testable import BulkPlan

@Suite("The order of versions' names") struct NaturalOrderTests {
  @Test(arguments: [
    ("Model", "Model 2"), ("Model 2", "Model 10"), ("Model 9", "Model 10"), ("v1.9", "v1.10"),
    ("zmessaging2.9.0", "zmessaging2.21.1"), ("1.4", "1.4.1"), ("Model2", "Modela"),
    ("a 007", "a 8"), ("A", "b"), ("a", "B"), ("Model 2", "model 3"),
    ("99999999999999999999999", "100000000000000000000000"),
  ])
  func `one stands before another`(first: String, second: String) {
    #expect(NaturalOrder.precedes(first, second))
    #expect(!NaturalOrder.precedes(second, first))
  }

  @Test(arguments: ["", "Model", "Model 2", "7"])
  func `nothing stands before itself`(name: String) {
    #expect(!NaturalOrder.precedes(name, name))
  }

  @Test func `names that differ in capitals or zeros have an order still`() {
    #expect(NaturalOrder.precedes("Model", "model"))
    #expect(NaturalOrder.precedes("v02", "v2"))
  }
}

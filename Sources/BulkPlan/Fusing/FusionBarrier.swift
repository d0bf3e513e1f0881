/// Why a step cannot be done as one with the steps before it, a sentence each.
struct FusionBarrier: Error, Hashable {
  let reasons: [String]

  init(_ reasons: [String]) { self.reasons = reasons }

  init(_ reason: String) { reasons = [reason] }
}

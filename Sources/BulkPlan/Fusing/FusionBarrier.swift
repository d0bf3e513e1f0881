/// Why a step cannot be done as one with the steps before it, a sentence each.
struct FusionBarrier: Error, Hashable {
  let reasons: [String]

  init(_ reasons: [String]) { self.reasons = reasons }

  init(_ reason: String) { reasons = [reason] }

  /// Throws the reasons, if there are any.
  static func refuse(_ reasons: [String]) throws(FusionBarrier) {
    guard reasons.isEmpty else { throw FusionBarrier(reasons) }
  }
}

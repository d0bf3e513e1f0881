/// Why a step cannot join the leg before it, a sentence each.
package struct FusionBarrier: Error, Hashable {
  package let reasons: [String]

  package init(_ reasons: [String]) { self.reasons = reasons }

  package init(_ reason: String) { reasons = [reason] }

  /// Throws the reasons, if there are any.
  package static func refuse(_ reasons: [String]) throws(FusionBarrier) {
    guard reasons.isEmpty else { throw FusionBarrier(reasons) }
  }
}

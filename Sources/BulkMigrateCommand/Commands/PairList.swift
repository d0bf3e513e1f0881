import BulkCoding

/// Reads lists such as `Note=1M,Tag=100K`.
enum PairList {
  /// The names and texts of a list, in order.
  static func parse(_ list: String) throws(PairListError) -> [(name: String, text: String)] {
    var result: [(name: String, text: String)] = []
    for part in list.split(separator: ",", omittingEmptySubsequences: false) {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2, !sides[0].isEmpty, !sides[1].isEmpty else {
        throw PairListError("'\(part)' is not of the form NAME=VALUE")
      }
      result.append((String(sides[0]), String(sides[1])))
    }
    return result
  }

  /// A number of things: `5000`, `5_000`, `100K`, `2M`; K and M are powers of 1000.
  static func count(_ text: String) throws(PairListError) -> Int64 {
    let units: [Character: Int64] = ["K": 1_000, "M": 1_000_000, "G": 1_000_000_000]
    let unit = text.last.flatMap { units[Character($0.uppercased())] }
    let digits = (unit == nil ? Substring(text) : text.dropLast()).filter { $0 != "_" }
    guard let number = Int64(digits), number >= 0 else {
      throw PairListError("'\(text)' is not a number of rows; try 5000, 100K or 2M")
    }
    let (product, overflow) = number.multipliedReportingOverflow(by: unit ?? 1)
    guard !overflow, product <= 1 << 40 else {
      throw PairListError("'\(text)' is more rows than a store is made with here")
    }
    return product
  }

  /// A part of a whole: `1%` or `0.01`.
  static func rate(_ text: String) throws(PairListError) -> Double {
    let isPercent = text.hasSuffix("%")
    guard let number = Double(isPercent ? text.dropLast() : Substring(text)) else {
      throw PairListError("'\(text)' is not a rate; try 1% or 0.01")
    }
    let rate = isPercent ? number / 100 : number
    guard (0...1).contains(rate) else {
      throw PairListError("'\(text)' is not between none and all; try 1% or 0.01")
    }
    return rate
  }

  /// A mean, from 0 to 1000.
  static func mean(_ text: String) throws(PairListError) -> Double {
    guard let number = Double(text), (0...1000).contains(number) else {
      throw PairListError("'\(text)' is not a number from 0 to 1000")
    }
    return number
  }

  /// A range of sizes: `10K-200K`, or one size.
  static func sizes(_ text: String) throws(PairListError) -> ClosedRange<Int> {
    let parts = text.split(separator: "-").map(String.init)
    var sizes: [Int] = []
    for part in parts {
      let isPlain = part.allSatisfy(\.isNumber)
      let bytes = isPlain ? Int64(part) : (try? ByteCount(parsing: part))?.bytes
      guard let bytes, (1...1 << 30).contains(bytes) else {
        throw PairListError("'\(part)' is not a size of 1 byte to 1G; try 10K-200K")
      }
      sizes.append(Int(bytes))
    }
    guard let low = sizes.first, let high = sizes.last, sizes.count <= 2, low <= high else {
      throw PairListError("'\(text)' is not a range of sizes; try 10K-200K")
    }
    return low...high
  }
}

/// What is wrong with a list of an option.
struct PairListError: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

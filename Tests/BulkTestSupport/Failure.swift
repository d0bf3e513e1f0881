/// What some work ends with, as a text.
package func failure<Result>(_ work: () throws -> Result) -> String {
  do {
    _ = try work()
    return "nothing failed"
  } catch { return "\(error)" }
}

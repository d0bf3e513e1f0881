internal import CBulkPCRE2

/// A regular expression that matches whole texts, in bounded time and memory.
///
/// The language is ICU's. PCRE2 matches; what it reads otherwise is translated, and what it lacks is refused when
/// the pattern is compiled. A text that takes too long fails.
@safe package final class RegularExpression: @unchecked Sendable {
  package static let depthLimit = 250
  /// The steps of a match, worth about a second; PCRE2 counts one whenever it may have to return to a position.
  private static let stepLimit: UInt32 = 10_000_000
  /// The largest cost of a match by a costly pattern, about a second; a member of a set costs 1 for each character.
  fileprivate static let costLimit = 200_000_000
  /// The most that a match keeps of positions to return to, in KiB; ICU's own limit is 8,000,000 bytes.
  private static let memoryLimit: UInt32 = 8_192
  /// The steps that a watch counts for a match; every fourth match asks it, so every few seconds at the latest.
  private static let watchedSteps = WorkWatch.stepsBetweenChecks / 4

  /// The compiled pattern, which nothing changes, so that threads may share it.
  private let code: OpaquePointer
  /// Whether ``MatchProgress`` counts the cost.
  private let isCostly: Bool
  private let unitCost: Int
  private let hasReferences: Bool

  package init(
    _ pattern: String,
    isCaseInsensitive: Bool = false
  ) throws(RegularExpressionFault) {
    var translator = PatternTranslator(pattern, isCaseInsensitive: isCaseInsensitive)
    var units = try translator.translated()
    isCostly = translator.isCostly
    if isCostly {
      translator = PatternTranslator(pattern, isCaseInsensitive: isCaseInsensitive, isCounted: true)
      units = try translator.translated()
    }
    unitCost = translator.unitCost
    hasReferences = translator.hasReferences
    let context = unsafe pcre2_compile_context_create_16(nil)
    defer { unsafe pcre2_compile_context_free_16(context) }
    // A set and its complement are groups, too.
    unsafe pcre2_set_parens_nest_limit_16(context, UInt32(4 * Self.depthLimit))
    unsafe pcre2_set_bsr_16(context, UInt32(PCRE2_BSR_UNICODE))
    // Without possessive repetitions each position to which one may return is counted.
    let options =
      PCRE2_UTF | PCRE2_UCP | PCRE2_ANCHORED | PCRE2_ENDANCHORED | PCRE2_NO_AUTO_POSSESS
      | PCRE2_NO_UTF_CHECK | PCRE2_NEVER_BACKSLASH_C
    var number: Int32 = 0
    var offset = 0
    let compiled = unsafe units.withUnsafeBufferPointer { units in
      unsafe pcre2_compile_16(
        units.baseAddress,
        units.count - 1,
        options,
        &number,
        &offset,
        context
      )
    }
    guard let compiled = unsafe compiled else {
      throw .invalid(Self.message(number), column: translator.column(of: offset))
    }
    unsafe code = compiled
  }

  deinit { unsafe pcre2_code_free_16(code) }

  /// Whether the whole text matches, including a line break at its end; `false` if the watch stops that.
  package func matchesWhole(
    _ text: String,
    _ watch: WorkWatch = WorkWatch()
  ) throws(RegularExpressionFault) -> Bool {
    if watch.isStopped(after: Self.watchedSteps) { return false }
    let units = Array(text.utf16)
    let context = unsafe pcre2_match_context_create_16(nil)
    let data = unsafe pcre2_match_data_create_16(1, nil)
    defer {
      unsafe pcre2_match_data_free_16(data)
      unsafe pcre2_match_context_free_16(context)
    }
    unsafe pcre2_set_match_limit_16(context, Self.stepLimit)
    unsafe pcre2_set_depth_limit_16(context, Self.stepLimit)
    unsafe pcre2_set_heap_limit_16(context, Self.memoryLimit)
    // PCRE2 compares a text with that of a reference without a call.
    let cost = unitCost + (hasReferences ? units.count / 4 : 0)
    guard !isCostly || units.count * unitCost <= Self.costLimit else {
      throw .tooCostly(units: units.count)
    }
    var progress = MatchProgress(units: units, watch: watch, unitCost: cost)
    let result = unsafe withUnsafeMutablePointer(to: &progress) { progress in
      if isCostly { unsafe pcre2_set_callout_16(context, answer, progress) }
      return unsafe units.withUnsafeBufferPointer { units in
        unsafe pcre2_match_16(
          code,
          units.baseAddress,
          units.count,
          0,
          PCRE2_NO_UTF_CHECK,
          data,
          context
        )
      }
    }
    if watch.isStopped { return false }
    guard result >= 0 || result == PCRE2_ERROR_NOMATCH else {
      throw .tooCostly(units: units.count)
    }
    return result >= 0
  }

  private static func message(_ number: Int32) -> String {
    var units = [UInt16](repeating: 0, count: 256)
    _ = unsafe units.withUnsafeMutableBufferPointer { units in
      unsafe pcre2_get_error_message_16(number, units.baseAddress, units.count)
    }
    return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
  }
}

/// Answers PCRE2, which calls before each part of a costly pattern: 0 goes on, 1 fails here, less ends the match.
private func answer(
  _ block: UnsafeMutablePointer<pcre2_callout_block_16>?,
  _ context: UnsafeMutableRawPointer?
) -> Int32 {
  guard let block = unsafe block?.pointee,
    let progress = unsafe context?.assumingMemoryBound(to: MatchProgress.self)
  else { return PCRE2_ERROR_CALLOUT }
  let position = unsafe block.current_position
  guard unsafe progress.pointee.count(to: position) else { return PCRE2_ERROR_CALLOUT }
  // 1 stands for \b, 2 for \B.
  let number = unsafe block.callout_number
  guard number > 0 else { return 0 }
  return unsafe progress.pointee.isWordBoundary(position) == (number == 1) ? 0 : 1
}

/// Counts what a match costs where PCRE2 counts no step: repetitions of one character that never return, and long parts.
private struct MatchProgress {
  let units: [UInt16]
  let watch: WorkWatch
  let unitCost: Int
  var cost = 0
  var last = 0

  /// Counts what lies between the last call and this one; returns whether the match goes on.
  mutating func count(to position: Int) -> Bool {
    let more = 8 + (abs(position - last) + 1) * unitCost
    last = position
    cost += more
    return cost <= RegularExpression.costLimit && !watch.isStopped(after: more)
  }

  /// Whether a word begins or ends here, as ICU finds it: not before a mark, and marks belong to what precedes them.
  mutating func isWordBoundary(_ position: Int) -> Bool {
    let next = scalar(at: position)
    if next?.isMark == true { return false }
    var start = position
    var before: Unicode.Scalar?
    repeat {
      start -= start > 1 && UTF16.isTrailSurrogate(units[start - 1]) ? 2 : 1
      before = scalar(at: start)
    } while before?.isMark == true
    // The next call counts these.
    last -= 8 * (position - start)
    return (before?.isWord ?? false) != (next?.isWord ?? false)
  }

  private func scalar(at index: Int) -> Unicode.Scalar? {
    guard units.indices.contains(index) else { return nil }
    guard UTF16.isLeadSurrogate(units[index]) else { return Unicode.Scalar(units[index]) }
    let low = UInt32(units[index + 1] & 0x3FF)
    return Unicode.Scalar(0x1_0000 + UInt32(units[index] & 0x3FF) << 10 + low)
  }
}

extension Unicode.Scalar {
  fileprivate var isMark: Bool {
    !isASCII && (properties.isGraphemeExtend || properties.generalCategory == .format)
  }

  /// Whether it is in ``PatternClass/word``.
  fileprivate var isWord: Bool {
    if isASCII { return PatternClass.isLetterOrDigit(self) || self == "_" }
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .connectorPunctuation:
      return true
    default: return properties.isAlphabetic || self == "\u{200C}" || self == "\u{200D}"
    }
  }
}

/// Why a pattern is refused, with the column in the pattern, from 1, in Unicode scalars, or why a text is.
package enum RegularExpressionFault: Error, Hashable, Sendable {
  case invalid(String, column: Int)
  /// A construct of ICU that is not supported.
  case unsupported(String, column: Int)
  case tooDeep(limit: Int, column: Int)
  /// Whether a text of some UTF-16 units matches cannot be found in bounded time and memory.
  case tooCostly(units: Int)
}

extension RegularExpressionFault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .invalid(let reason, let column):
      "is not a regular expression: at character \(column) \(reason)"
    case .unsupported(let what, let column):
      "cannot be matched: at character \(column) there is \(what), which is not supported"
    case .tooDeep(let limit, let column):
      "is too deep: at character \(column) it has more than \(limit) levels"
    case .tooCostly(let units):
      "takes too many steps or too much memory to be matched with a text of \(units) UTF-16 units"
    }
  }
}

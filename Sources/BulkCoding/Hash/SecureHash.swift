/// A hash function of FIPS 180-4, computed incrementally over blocks of sixteen words.
package struct SecureHash<Function: BlockFunction>: Sendable {
  package static var digestLength: Int { 8 * wordLength }

  private static var wordLength: Int { Function.Word.bitWidth / 8 }
  private static var blockLength: Int { 16 * wordLength }
  private var state = Function.initialState
  private var pending: [UInt8] = []
  private var length: UInt64 = 0
  private var schedule = [Function.Word](repeating: 0, count: Function.constants.count)

  package init() {}

  package static func digest(_ bytes: [UInt8]) -> [UInt8] {
    var hash = SecureHash()
    hash.update(bytes)
    return hash.finalize()
  }

  package mutating func update(_ text: String) { update(Array(text.utf8)) }

  package mutating func update(_ bytes: [UInt8]) {
    length &+= UInt64(bytes.count)
    var rest = bytes[...]
    if !pending.isEmpty {
      let part = rest.prefix(Self.blockLength - pending.count)
      pending += part
      rest = rest.dropFirst(part.count)
      guard pending.count == Self.blockLength else { return }
      // The blocks are read in place, within the count of the buffer; so is the schedule.
      unsafe pending.withUnsafeBytes { unsafe compress($0) }
      pending.removeAll(keepingCapacity: true)
    }
    unsafe rest.withUnsafeBytes { buffer in
      var offset = 0
      while buffer.count - offset >= Self.blockLength {
        unsafe compress(
          UnsafeRawBufferPointer(rebasing: buffer[offset..<(offset + Self.blockLength)])
        )
        offset += Self.blockLength
      }
      unsafe pending += buffer[offset...]
    }
  }

  private mutating func compress(_ block: UnsafeRawBufferPointer) {
    unsafe schedule.withUnsafeMutableBufferPointer {
      unsafe Function.compress(block, schedule: $0, state: &state)
    }
  }

  /// The digest of all hashed bytes; nothing may be added afterwards.
  package mutating func finalize() -> [UInt8] {
    let bits = length &* 8
    // The length has two words; all of it but the last eight bytes is zero.
    let lengthBytes = 2 * Self.wordLength
    let padding = (Self.blockLength * 2 - 1 - lengthBytes - pending.count) % Self.blockLength
    var end: [UInt8] = [0x80] + [UInt8](repeating: 0, count: padding + lengthBytes - 8)
    BigEndian.append(bits, width: 8, to: &end)
    update(end)
    var digest: [UInt8] = []
    for word in state { BigEndian.append(UInt64(word), width: Self.wordLength, to: &digest) }
    return digest
  }
}

/// The part in which SHA-256 and SHA-512 differ.
///
/// The rounds are functions of each, so that the loop over a block has words of a known width.
package protocol BlockFunction {
  associatedtype Word: FixedWidthInteger & UnsignedInteger & Sendable

  static var initialState: [Word] { get }
  static var constants: [Word] { get }

  static func compress(
    _ block: UnsafeRawBufferPointer,
    schedule words: UnsafeMutableBufferPointer<Word>,
    state: inout [Word]
  )
}

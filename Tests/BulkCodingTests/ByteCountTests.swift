import BulkSupport
import Testing

struct ByteCountTests {
  @Test(
    arguments: [
      (0, "0 bytes"),
      (1, "1 byte"),
      (1_023, "1023 bytes"),
      (1_024, "1 KiB"),
      (1_536, "1.5 KiB"),
      (268_435_456, "256 MiB"),
      (1_503_238_553, "1.4 GiB"),
      (104_805_172, "100 MiB"),
      (104_752_742, "99.9 MiB"),
      (1_099_511_627_776, "1 TiB"),
      (.max, "8 EiB"),
      (-1_536, "-1.5 KiB"),
    ] as [(Int64, String)]
  )
  func `a count is printed in the largest unit that leaves at least 1`(
    bytes: Int64,
    text: String
  ) {
    #expect(ByteCount(bytes: bytes).description == text)
  }

  @Test(
    arguments: [
      (1_048_524, "1023.9 KiB", "1 MiB"),
      (1_073_217_536, "1023.5 MiB", "1 GiB"),
    ] as [(Int64, String, String)]
  )
  func `what would be printed as 1024 of a unit is printed as 1 of the next`(
    bytes: Int64,
    exactly: String,
    text: String
  ) {
    #expect(ByteCount(bytes: bytes).description == text, "\(exactly)")
  }

  @Test func `multiples are powers of 1024`() {
    #expect(ByteCount.kibibytes(3).bytes == 3_072)
    #expect(ByteCount.mebibytes(256).bytes == 268_435_456)
    #expect(ByteCount.gibibytes(2).bytes == 2_147_483_648)
  }

  @Test func `counts are added, subtracted, multiplied, shared and compared as numbers`() {
    let mebibyte = ByteCount.mebibytes(1)
    #expect(mebibyte + mebibyte - .kibibytes(1) == ByteCount(bytes: 2_096_128))
    #expect(mebibyte * 3 == .mebibytes(3))
    #expect(ByteCount(bytes: 10) / 3 == ByteCount(bytes: 3))
    #expect(ByteCount.kibibytes(1_023) < mebibyte)
    #expect([mebibyte, mebibyte].reduce(.zero, +) == .mebibytes(2))
  }
}

import BulkSupport
import Testing

@testable import BulkMigrateCommand

struct SizeParsingTests {
  @Test(
    arguments: [
      ("512K", 524_288),
      ("256M", 268_435_456),
      ("1G", 1_073_741_824),
      ("0.5G", 536_870_912),
      ("1.5g", 1_610_612_736),
      ("256MiB", 268_435_456),
      ("2 GiB", 2_147_483_648),
      ("256MB", 256_000_000),
      ("1kb", 1_000),
      ("2TB", 2_000_000_000_000),
      ("512B", 512),
      ("1048576", 1_048_576),
      ("9007199254740993", 9_007_199_254_740_993),
    ] as [(String, Int64)]
  )
  func `K to T are powers of 1024 and KB to TB powers of 1000`(text: String, bytes: Int64) throws {
    #expect(try ByteCount(parsing: text).bytes == bytes)
  }

  @Test(
    arguments: [
      ("25%", 268_435_456),
      ("100%", 1_073_741_824),
      ("0.1%", 1_073_741),
    ] as [(String, Int64)]
  )
  func `a percentage is one of the available memory`(text: String, bytes: Int64) throws {
    let memory = ByteCount.gibibytes(1)
    #expect(try ByteCount(parsing: text, memory: { memory }).bytes == bytes)
  }

  @Test(arguments: [
    ("12x", "'12x' is not a size; try 512M, 1.5G or 25%"),
    ("", "'' is not a size; try 512M, 1.5G or 25%"),
    ("M", "'M' is not a size; try 512M, 1.5G or 25%"),
    ("-5M", "'-5M' is not a size; try 512M, 1.5G or 25%"),
    ("1.2.3M", "'1.2.3M' is not a size; try 512M, 1.5G or 25%"),
    (".5G", "'.5G' is not a size; try 512M, 1.5G or 25%"),
    ("5.G", "'5.G' is not a size; try 512M, 1.5G or 25%"),
    ("٣M", "'٣M' is not a size; try 512M, 1.5G or 25%"),
    ("256", "'256' has no unit and would be 256 bytes; try 256M"),
    ("1048575", "'1048575' has no unit and would be 1 MiB; try 1048575M"),
    ("0M", "'0M' is nothing at all; try 512M, 1.5G or 25%"),
    ("0.0001K", "'0.0001K' is nothing at all; try 512M, 1.5G or 25%"),
    ("0%", "'0%' is not above 0% and at most 100%; try 25%"),
    ("101%", "'101%' is not above 0% and at most 100%; try 25%"),
    (
      "9999999T",
      "'9999999T' is more than a file or a memory can hold; try 512M or 1.5G"
    ),
    (
      "99999999999999999999",
      "'99999999999999999999' is more than a file or a memory can hold; try 512M or 1.5G"
    ),
  ])
  func `what is not a sensible size is refused with one that is`(text: String, message: String) {
    let memory = ByteCount.gibibytes(1)
    let error = #expect(throws: UsageError.self) {
      try ByteCount(parsing: text, memory: { memory })
    }
    #expect(error?.description == message)
  }
}

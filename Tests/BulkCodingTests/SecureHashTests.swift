import BulkTestSupport
import Testing

/// Expected values: FIPS 180-4 examples of the Cryptographic Standards and Guidelines (NIST), and the
/// message of one million `a` of FIPS 180-2.
struct SecureHashTests {
  private static let twoBlocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
  private static let longTwoBlocks =
    "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqr"
    + "lmnopqrsmnopqrstnopqrstu"

  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (twoBlocks, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
  ])
  func `SHA-256 gives the published digests`(message: String, digest: String) {
    #expect(SHA256.digest(Array(message.utf8)).hex == digest)
  }

  @Test(arguments: [
    (
      "",
      "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
        + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"
    ),
    (
      "abc",
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
    ),
    (
      longTwoBlocks,
      "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018"
        + "501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909"
    ),
  ])
  func `SHA-512 gives the published digests`(message: String, digest: String) {
    #expect(SHA512.digest(Array(message.utf8)).hex == digest)
  }

  @Test func `a million letters hash as published, in pieces that do not fit the blocks`() {
    var (short, long) = (SHA256(), SHA512())
    let piece = [UInt8](repeating: UInt8(ascii: "a"), count: 625)
    for _ in 0..<1600 {
      short.update(piece)
      long.update(piece)
    }
    #expect(
      short.finalize().hex == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    )
    #expect(
      long.finalize().hex == "e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973eb"
        + "de0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b"
    )
  }

  @Test(arguments: 0..<260)
  func `pieces of any length hash as the whole`(length: Int) {
    let message = (0..<260).map { UInt8(truncatingIfNeeded: $0) }
    var (short, long) = (SHA256(), SHA512())
    for part in [message[..<length], message[length...]] {
      short.update(Array(part))
      long.update(Array(part))
    }
    // Made with Python 3 hashlib over bytes(i % 256 for i in range(260)).
    #expect(
      short.finalize().hex == "e834297d45be0ae3d42422c3071c57590c65759366d7c2e1871d3d4a15f5759f"
    )
    #expect(
      long.finalize().hex
        == "1b0a033d8a2497eed2571ba1dc8c1328ce90de94c2b0118f4a31bda81d558195"
        + "334e154ab5351f6228c086f37ef597c5757fbd0610c436e218eb7b9d7d7b8ed2"
    )
  }
}

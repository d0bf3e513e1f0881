internal import CBulkZlib

/// Raw streams of the DEFLATE format (RFC 1951), without the header of zlib or gzip.
///
/// Core Data stores its model cache as one.
package enum RawDeflate {
  private static let name = "a DEFLATE stream"
  private static let withoutHeader: Int32 = -MAX_WBITS
  private static let stateSize = unsafe Int32(MemoryLayout<z_stream>.size)

  /// Refuses a stream with bytes after its last block, or of more than `limit` bytes of output.
  package static func inflate(_ bytes: [UInt8], limit: Int) throws(CodingError) -> [UInt8] {
    let state = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe state.initialize(to: z_stream())
    defer { unsafe state.deallocate() }
    let begun = unsafe inflateInit2_(state, withoutHeader, ZLIB_VERSION, stateSize)
    precondition(begun == Z_OK, "no memory for zlib")
    defer { _ = unsafe inflateEnd(state) }
    let (output, status) = unsafe run(state, over: bytes, limit: limit) {
      unsafe CBulkZlib.inflate($0, Z_NO_FLUSH)
    }
    let offset = unsafe Int(state.pointee.total_in)
    guard output.count <= limit else { throw .tooLarge(name, offset: offset, limit: limit) }
    switch status {
    case Z_STREAM_END where offset == bytes.count: return output
    case Z_STREAM_END:
      throw .invalid(name, offset: offset, reason: "continues after its last block")
    case Z_BUF_ERROR: throw .truncated(name, offset: bytes.count)
    default:
      let reason = unsafe state.pointee.msg.map { unsafe String(cString: $0) } ?? "error \(status)"
      throw .invalid(name, offset: offset, reason: "violates its format: \(reason)")
    }
  }

  /// Compresses bytes into a stream; equal bytes give equal streams.
  package static func deflate(_ bytes: [UInt8]) -> [UInt8] {
    let state = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe state.initialize(to: z_stream())
    defer { unsafe state.deallocate() }
    let begun = unsafe deflateInit2_(
      state,
      Z_DEFAULT_COMPRESSION,
      Z_DEFLATED,
      withoutHeader,
      MAX_MEM_LEVEL,
      Z_DEFAULT_STRATEGY,
      ZLIB_VERSION,
      stateSize
    )
    precondition(begun == Z_OK, "no memory for zlib")
    defer { _ = unsafe deflateEnd(state) }
    return unsafe run(state, over: bytes, limit: .max - 1) {
      unsafe CBulkZlib.deflate($0, Z_FINISH)
    }.output
  }

  /// Lets zlib take steps until one ends or fails, or the output has more bytes than the limit.
  private static func run(
    _ state: UnsafeMutablePointer<z_stream>,
    over bytes: [UInt8],
    limit: Int,
    _ step: (UnsafeMutablePointer<z_stream>) -> Int32
  ) -> (output: [UInt8], status: Int32) {
    var output: [UInt8] = []
    var status = Z_OK
    unsafe bytes.withUnsafeBufferPointer { input in
      unsafe state.pointee.next_in = input.baseAddress
      // A value of SQLite has less than 2 GiB.
      unsafe state.pointee.avail_in = UInt32(input.count)
      while status == Z_OK, output.count <= limit {
        let size = min(1 << 16, limit - output.count + 1)
        unsafe output += [UInt8](unsafeUninitializedCapacity: size) { piece, count in
          unsafe state.pointee.next_out = piece.baseAddress
          unsafe state.pointee.avail_out = UInt32(size)
          status = unsafe step(state)
          count = unsafe size - Int(state.pointee.avail_out)
        }
      }
    }
    return (output, status)
  }
}

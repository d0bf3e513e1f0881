import CBulkZstd

/// Compresses blocks with one reused zstd context.
package struct BlockCompressor: ~Copyable {
  private let context: OpaquePointer

  /// Level 1: for associations, level 3 was never smaller and always slower.
  private static let level: Int32 = 1

  /// Allocates the context.
  package init() throws(AssociationError) {
    guard let context = ZSTD_createCCtx() else { throw .noCompressionMemory }
    self.context = context
  }

  deinit { ZSTD_freeCCtx(context) }

  /// The block as a zstd frame; `nil` if that does not make it at least a tenth smaller.
  package func compress(_ block: [UInt8]) -> [UInt8]? {
    // A frame that exceeds this capacity is not worth decompressing.
    let capacity = block.count * 9 / 10
    let frame = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      let size = ZSTD_compressCCtx(
        context,
        buffer.baseAddress,
        capacity,
        block,
        block.count,
        Self.level
      )
      count = ZSTD_isError(size) == 0 ? size : 0
    }
    return frame.isEmpty ? nil : frame
  }
}

/// Decompresses blocks with one reused zstd context.
package struct BlockDecompressor: ~Copyable {
  private let context: OpaquePointer

  /// Allocates the context.
  package init() throws(AssociationError) {
    guard let context = ZSTD_createDCtx() else { throw .noCompressionMemory }
    self.context = context
  }

  deinit { ZSTD_freeDCtx(context) }

  /// The block of a zstd frame; `nil` if the frame does not hold exactly that many bytes.
  ///
  /// No more memory than that is allocated, whatever the frame claims.
  package func decompress(_ frame: [UInt8], size: Int) -> [UInt8]? {
    let block = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      let written = ZSTD_decompressDCtx(context, buffer.baseAddress, size, frame, frame.count)
      count = ZSTD_isError(written) == 0 ? written : 0
    }
    return block.count == size ? block : nil
  }
}

/// The library that compresses blocks.
package enum CompressionLibrary {
  /// Its version, as `1.5.4`.
  package static var version: String { String(cString: ZSTD_versionString()) }
}

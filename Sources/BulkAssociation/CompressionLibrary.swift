internal import CBulkZstd

/// The library that compresses blocks.
package enum CompressionLibrary {
  /// Its version, as `1.5.4`.
  package static var version: String { String(cString: ZSTD_versionString()) }
}

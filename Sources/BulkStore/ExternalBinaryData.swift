internal import Foundation

/// Where a store keeps binary values that lie outside of its database.
package enum ExternalBinaryData {
  /// The hidden folder beside a store that belongs to it, `.<name>_SUPPORT`.
  package static func supportFolder(of store: String) -> String {
    let url = URL(fileURLWithPath: store)
    let name = url.deletingPathExtension().lastPathComponent
    return url.deletingLastPathComponent().appendingPathComponent(".\(name)_SUPPORT").path
  }
}

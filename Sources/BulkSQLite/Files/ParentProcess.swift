internal import CBulkSQLite

/// The process that started this one.
package enum ParentProcess {
  /// Lets the system kill this process when its parent ends, also as the program that it becomes.
  package static func endWithIt() { _ = bulk_end_with_parent() }
}

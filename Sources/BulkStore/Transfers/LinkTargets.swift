package import BulkSQLite

/// Finds the objects that links lead to, while the rows that hold these are written.
package typealias LinkTargets = BulkSQLite.LinkTargets

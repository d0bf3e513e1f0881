// What the names of the support's interface need, so that no test has to import it as well.

@_exported public import BulkSQLite
@_exported public import BulkSupport
@_exported public import BulkExecute
@_exported public import BulkMapping
@_exported public import BulkModel
@_exported public import BulkPlan
@_exported public import BulkStore
@_exported public import Foundation

// An app imports BulkMigrate and has the whole public face of the layers below.
@_exported public import BulkCoding
@_exported public import BulkExecute
@_exported public import BulkFixture
@_exported public import BulkMapping
@_exported public import BulkModel
@_exported public import BulkPlan

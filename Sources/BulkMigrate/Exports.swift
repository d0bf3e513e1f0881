// An app or a policy that imports BulkMigrate sees these types of the layers below, and no others.

// Amounts.
@_exported public import struct BulkSupport.ByteCount

// Policies, and the results of runs.
@_exported public import struct BulkExecute.DestinationInstance
@_exported public import protocol BulkExecute.EntityMigrationPolicy
@_exported public import class BulkExecute.MigrationManager
@_exported public import struct BulkExecute.MigrationProgress
@_exported public import struct BulkExecute.MigrationRecord
@_exported public import struct BulkExecute.PassUse
@_exported public import struct BulkExecute.PolicyError
@_exported public import struct BulkExecute.RejectPolicy
@_exported public import struct BulkExecute.RejectedObject
@_exported public import struct BulkExecute.SourceInstance

// Mappings.
@_exported public import protocol BulkMapping.AttributeTransformer
@_exported public import struct BulkMapping.EntityMapping
@_exported public import struct BulkMapping.MappingModel
@_exported public import struct BulkMapping.ObjectUniqueness
@_exported public import struct BulkMapping.PropertyMapping

// Models and values.
@_exported public import struct BulkModel.AttributeDescription
@_exported public import enum BulkModel.AttributeType
@_exported public import enum BulkModel.AttributeValue
@_exported public import struct BulkModel.EntityDescription
@_exported public import struct BulkModel.ExpressionError
@_exported public import struct BulkModel.FetchIndexDescription
@_exported public import struct BulkModel.FetchRequestDescription
@_exported public import struct BulkModel.FetchedPropertyDescription
@_exported public import struct BulkModel.ManagedObjectModel
@_exported public import enum BulkModel.ModelError
@_exported public import struct BulkModel.ObjectID
@_exported public import struct BulkModel.RelationshipDescription
@_exported public import enum BulkModel.ValueExpression
@_exported public import enum BulkModel.ValuePredicate

// Plans, and the contents of stores.
@_exported public import enum BulkPlan.Inspection
@_exported public import enum BulkPlan.LossLimit
@_exported public import struct BulkPlan.MappingReport
@_exported public import struct BulkPlan.MemoryShare
@_exported public import enum BulkPlan.MemoryUse
@_exported public import struct BulkPlan.MigrationPlan
@_exported public import struct BulkPlan.ModelReport
@_exported public import struct BulkPlan.PlannedMemory
@_exported public import struct BulkPlan.StoreReport
@_exported public import struct BulkPlan.ModelInput
@_exported public import enum BulkPlan.PlanAllowance
@_exported public import struct BulkPlan.StoreStrategy

// Verification.
@_exported public import struct BulkStore.StoreDifference

// Findings of a preflight.

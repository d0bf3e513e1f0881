import BulkMigrateCommand
import ExamplePolicies

// `examplesmigrate plan`, `run` and so on are those of bulkmigrate, with two policies and a transformer more.
BulkMigrateCommand.main(
  policies: [
    "Examples.PersonToPersonPolicy": PersonToPersonPolicy(),
    "Examples.DocumentToDocumentPolicy": DocumentToDocumentPolicy(),
  ],
  transformers: ["ColorTransformer": ColorTransformer()]
)

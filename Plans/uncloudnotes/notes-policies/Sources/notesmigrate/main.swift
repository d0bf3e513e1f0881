import BulkMigrateCommand
import NotesPolicies

// `notesmigrate plan`, `run` and so on are those of bulkmigrate, with one policy more.
BulkMigrateCommand.main(policies: [
  "UnCloudNotes.AttachmentToImageAttachmentMigrationPolicyV3toV4": ImageAttachmentPolicy()
])

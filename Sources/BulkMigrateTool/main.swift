import BulkMigrateCommand

BulkMigrateCommand.main()

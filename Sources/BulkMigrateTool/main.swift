import BulkMigrateCommand

CommandLineTool().main()

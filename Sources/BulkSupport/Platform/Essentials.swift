// Re-exports the part of Foundation that needs no ICU: data, dates, decimals, files, JSON, UUIDs.
//
// Where Foundation is part of the system it is not divided, and costs nothing.

#if canImport(FoundationEssentials)
@_exported public import FoundationEssentials
#else
@_exported public import Foundation
#endif

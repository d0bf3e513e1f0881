// The C library under one name. Whoever imports this module can call it, and what the libraries say
// differently is said here once.

#if canImport(Darwin)
@_exported public import Darwin
#elseif canImport(Musl)
@_exported public import Musl
#else
@_exported public import Glibc
#endif

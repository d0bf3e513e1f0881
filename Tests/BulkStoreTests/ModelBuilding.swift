import BulkTestSupport

extension EntityDescription {
  func indexed(_ indexes: FetchIndexDescription...) -> EntityDescription {
    var result = self
    result.indexes = indexes
    return result
  }
}

extension RelationshipDescription {
  var transient: RelationshipDescription {
    var result = self
    result.isTransient = true
    return result
  }
}

extension AttributeDescription {
  var transient: AttributeDescription {
    var result = self
    result.isTransient = true
    return result
  }
}

extension StoreSession {
  /// A session for a new store with small pages and caches.
  convenience init(
    _ path: String,
    readingFrom source: String? = nil,
    isDurable: Bool = false
  ) throws {
    try self.init(
      path: path,
      readingFrom: source.map { SourceFile(path: $0) },
      pageSize: 4096,
      caches: StoreSession.CacheSizes(destination: 1000, source: 1000),
      isDurable: isDurable
    )
  }
}

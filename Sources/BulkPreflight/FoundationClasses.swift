/// The classes of Foundation that archives of values have, which every app can read.
enum FoundationClasses {
  /// Source: `NSSecureUnarchiveFromDataTransformer.allowedTopLevelClasses`, with the mutable subclasses that
  /// archives name.
  static let names: Set<String> = [
    "NSArray", "NSMutableArray", "NSDictionary", "NSMutableDictionary", "NSSet", "NSMutableSet",
    "NSOrderedSet", "NSMutableOrderedSet", "NSString", "NSMutableString", "NSNumber",
    "NSDecimalNumber", "NSDate", "NSData", "NSMutableData", "NSURL", "NSUUID", "NSNull",
  ]
}

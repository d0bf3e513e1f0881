/// Which version a store is, and the way from there to the version that it shall be.
package struct StoreWay {
  /// The store's version.
  package let version: FoundVersion
  /// What the version at the end of the way is called.
  package let destinationName: String
  /// The steps: at least one; of a store that is there already, one to the version that it is.
  package let steps: [RouteStep]
}

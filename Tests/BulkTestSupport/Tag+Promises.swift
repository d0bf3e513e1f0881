package import Testing

/// The promises of SECURITY.md by number; a suite that holds one carries its tag.
extension Tag {
  @Tag package static var promise1: Self
  @Tag package static var promise2: Self
  @Tag package static var promise3: Self
  @Tag package static var promise4: Self
  @Tag package static var promise5: Self
  @Tag package static var promise6: Self
  @Tag package static var promise7: Self
  @Tag package static var promise8: Self
  @Tag package static var promise9: Self
  @Tag package static var promise10: Self
  @Tag package static var promise11: Self
  @Tag package static var promise12: Self
  @Tag package static var promise13: Self
  @Tag package static var promise14: Self
  @Tag package static var promise15: Self
  @Tag package static var promise16: Self
  @Tag package static var promise17: Self
  @Tag package static var promise18: Self
  @Tag package static var promise19: Self
  @Tag package static var promise20: Self
  @Tag package static var promise21: Self
  @Tag package static var promise22: Self
  @Tag package static var promise23: Self
  @Tag package static var promise24: Self
  @Tag package static var promise25: Self
  @Tag package static var promise26: Self
  @Tag package static var promise27: Self
  @Tag package static var promise28: Self
  @Tag package static var promise29: Self
  @Tag package static var promise30: Self
  @Tag package static var promise31: Self
  @Tag package static var promise32: Self
  @Tag package static var promise33: Self
}

/// A page or record is not as it should be; nobody needs to know how.
struct TreeDamage: Error {}

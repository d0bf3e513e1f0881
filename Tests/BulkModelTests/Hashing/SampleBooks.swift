import BulkTestSupport

/// The model SampleModel2 of the open-source library CoreDataPlus, version 2, as far as it enters
/// hashes.
enum SampleBooks {
  static func model() throws -> ManagedObjectModel {
    var author = EntityDescription(
      "Author",
      under: "Writer",
      [.required("alias")],
      [relationship("books", "Book", inverse: "author", 0, -1, isOptional: true)],
      unique: [["alias"]]
    )
    author.fetchedProperties = [
      FetchedPropertyDescription("feedbacks", fetching: .init("", entityName: "Feedback"))
    ]
    var pagesCount = AttributeDescription.derived(
      "pagesCount",
      .integer64,
      .predefined(selector: "count:", arguments: [.keyPath("pages", of: .evaluatedObject)])
    )
    pagesCount.isReadOnly = true
    return try .of(
      .init("Writer", isAbstract: true, [.required("age", .integer16)]),
      author,
      .init(
        "Book",
        [
          .required("frontCover", .transformable), .required("price", .decimal), pagesCount,
          .required("publishedAt", .date), .required("title"), .required("uniqueID", .uuid),
        ],
        [
          relationship("author", "Author", inverse: "books", 1, 1),
          relationship("pages", "Page", inverse: "book", 1, 10_000),
        ],
        unique: [["uniqueID"]]
      ),
      .init("GraphicNovel", under: "Book", [.required("isBlackAndWhite", .boolean)]),
      .init(
        "Page",
        [
          .required("content", .transformable), .required("isBookmarked", .boolean),
          .required("number", .integer32),
        ],
        [relationship("book", "Book", inverse: "pages", 1, 1)]
      ),
      .init(
        "Feedback",
        [
          .required("authorAlias"), .required("bookID", .uuid), .optional("comment"),
          .required("rating", .double),
        ]
      )
    )
  }

  private static func relationship(
    _ name: String,
    _ destination: String,
    inverse: String,
    _ least: Int64,
    _ most: Int64,
    isOptional: Bool = false
  ) -> RelationshipDescription {
    var result = RelationshipDescription(name, to: destination)
    result.inverseName = inverse
    result.isToMany = most != 1
    (result.minCount, result.maxCount) = (least, most)
    result.isOptional = isOptional
    return result
  }
}

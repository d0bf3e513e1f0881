import BulkModel

/// The model SampleModel2 of the open-source library CoreDataPlus, version 2, as far as it enters
/// hashes.
enum SampleBooks {
  static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: [writer, author, book, graphicNovel, page, feedback])
  }

  private static var writer: EntityDescription {
    var entity = EntityDescription("Writer")
    entity.isAbstract = true
    entity.attributes = [AttributeDescription("age", .integer16)]
    return entity
  }

  private static var author: EntityDescription {
    var entity = EntityDescription("Author")
    entity.superentityName = "Writer"
    entity.attributes = [AttributeDescription("alias", .string)]
    var books = RelationshipDescription("books", to: "Book")
    (books.inverseName, books.isToMany, books.maxCount) = ("author", true, -1)
    books.isOptional = true
    entity.relationships = [books]
    entity.fetchedProperties = [
      FetchedPropertyDescription("feedbacks", fetching: .init("", entityName: "Feedback"))
    ]
    entity.uniquenessConstraints = [["alias"]]
    return entity
  }

  private static var book: EntityDescription {
    var entity = EntityDescription("Book")
    var pagesCount = AttributeDescription("pagesCount", .integer64)
    pagesCount.isOptional = true
    pagesCount.isReadOnly = true
    pagesCount.derivationExpression = .predefined(
      selector: "count:",
      arguments: [.keyPath("pages", of: .evaluatedObject)]
    )
    entity.attributes = [
      AttributeDescription("frontCover", .transformable), AttributeDescription("price", .decimal),
      pagesCount, AttributeDescription("publishedAt", .date),
      AttributeDescription("title", .string), AttributeDescription("uniqueID", .uuid),
    ]
    var author = RelationshipDescription("author", to: "Author")
    (author.inverseName, author.minCount) = ("books", 1)
    var pages = RelationshipDescription("pages", to: "Page")
    (pages.inverseName, pages.isToMany, pages.minCount, pages.maxCount) = ("book", true, 1, 10_000)
    entity.relationships = [author, pages]
    entity.uniquenessConstraints = [["uniqueID"]]
    return entity
  }

  private static var graphicNovel: EntityDescription {
    var entity = EntityDescription("GraphicNovel")
    entity.superentityName = "Book"
    entity.attributes = [AttributeDescription("isBlackAndWhite", .boolean)]
    return entity
  }

  private static var page: EntityDescription {
    var entity = EntityDescription("Page")
    entity.attributes = [
      AttributeDescription("content", .transformable),
      AttributeDescription("isBookmarked", .boolean), AttributeDescription("number", .integer32),
    ]
    var book = RelationshipDescription("book", to: "Book")
    (book.inverseName, book.minCount) = ("pages", 1)
    entity.relationships = [book]
    return entity
  }

  private static var feedback: EntityDescription {
    var entity = EntityDescription("Feedback")
    var comment = AttributeDescription("comment", .string)
    comment.isOptional = true
    entity.attributes = [
      AttributeDescription("authorAlias", .string), AttributeDescription("bookID", .uuid), comment,
      AttributeDescription("rating", .double),
    ]
    return entity
  }
}

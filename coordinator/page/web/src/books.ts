// The run of the page's own file that a book's name stands for (diff_json.h), 0 for the book
// itself. null: the book is of the other file, or named by the other book.
export function runOf(book: string): number | null {
  const found = /^(?:input-)?(\d+)$/.exec(book);
  return found ? Number(found[1]) : null;
}

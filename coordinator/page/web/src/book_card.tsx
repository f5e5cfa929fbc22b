import { readBook } from "./api";
import { hashOf } from "./address";
import { Fact } from "./facts";
import { useResource } from "./resource";
import { count, wordFor, type Words } from "./words";

// The contents of the book itself, unchanged by runs.
export function BookCard({ words }: { words: Words }) {
  const { value: book } = useResource("book", readBook);
  if (!book) return null;
  const left = book.sources_all - book.sources.length;
  return (
    <article class="card book">
      <header>
        <h2>{words.book}</h2>
        <a href={hashOf(0, [])}>{words.explore}</a>
      </header>
      <dl>
        <Fact name={words.positions} value={count(book.positions)} />
        <Fact name={words.moves} value={count(book.moves)} />
        <Fact name={words.importedGames} value={count(book.games)} />
        <Fact name={words.sources} value={count(book.sources_all)} />
      </dl>
      {book.sources.length > 0 && (
        <ul class="sources">
          {[...book.sources].reverse().map((source, i) => (
            <li key={i}>
              {wordFor(words, `source_${source.kind}`)} <span class="name">{source.name}</span>
              <small>
                {source.games > 0 && ` ${count(source.games)} ${words.games}`}
                {source.rejected > 0 && ` ${count(source.rejected)} ${words.rejected}`} {source.added_at.slice(0, 10)}
              </small>
            </li>
          ))}
        </ul>
      )}
      {left > 0 && <p class="faint">{count(left)} {words.more}</p>}
    </article>
  );
}

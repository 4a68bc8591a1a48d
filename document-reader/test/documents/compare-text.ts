/** How similar the text of a page is to the expected text. */
export interface TextComparison {
  /** Share of the expected words that were read. */
  readonly recall: number;
  /** Share of the words read that were expected. */
  readonly precision: number;
  /** Edits that turn one text into the other, per expected character. */
  readonly characterErrorRate: number;
  /** Share of the words read that are in the expected order. */
  readonly order: number;
}

/** Compares Markdown with the text of a page. Formatting and the kind of quotation marks don't matter. */
export function compareText(expected: string, markdown: string): TextComparison {
  const [words, found] = [wordsOf(expected), wordsOf(plainTextOf(markdown))];
  const [joined, foundJoined] = [words.join(' '), found.join(' ')];
  return {
    recall: shareFoundIn(found, words),
    precision: shareFoundIn(words, found),
    characterErrorRate: editDistance(joined, foundJoined) / joined.length,
    order: measureOrder(words, found),
  };
}

/** Returns the share of the words in `expected`, including repetitions, that the Markdown contains. */
export function wordRecall(expected: string, markdown: string): number {
  return shareFoundIn(wordsOf(plainTextOf(markdown)), wordsOf(expected));
}

/** Returns the share of words, including repetitions, that are in `others`. */
function shareFoundIn(others: readonly string[], words: readonly string[]): number {
  if (words.length === 0) return others.length === 0 ? 1 : 0;
  const remaining = new Map<string, number>();
  for (const word of others) remaining.set(word, (remaining.get(word) ?? 0) + 1);
  const found = words.filter((word) => {
    const count = remaining.get(word) ?? 0;
    remaining.set(word, count - 1);
    return count > 0;
  });
  return found.length / words.length;
}

/** Returns the length of the longest sequence of words in the right order, relative to all words found once. */
function measureOrder(expected: readonly string[], actual: readonly string[]): number {
  const places = placesOfUniqueWords(expected);
  const found = [...placesOfUniqueWords(actual).keys()].flatMap((word) => places.get(word) ?? []);
  if (found.length === 0) return 0;
  // The smallest place at which an ordered sequence of each length can end.
  const ends: number[] = [];
  for (const place of found) {
    const length = ends.findIndex((end) => end >= place);
    ends[length === -1 ? ends.length : length] = place;
  }
  return ends.length / found.length;
}

function placesOfUniqueWords(words: readonly string[]): Map<string, number> {
  const unique = [...words.entries()].filter(([, word]) => words.indexOf(word) === words.lastIndexOf(word));
  return new Map(unique.map(([place, word]) => [word, place]));
}

/** Levenshtein distance. */
function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const substitution = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      current.push(Math.min(substitution, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous.at(-1) ?? 0;
}

function plainTextOf(markdown: string): string {
  return markdown
    .replace(/^\|( --- \|)+$/gm, '')
    .replace(/^(#{1,6}|[-*]) /gm, '')
    .replace(/\\(?=[^\w\s])/g, '');
}

function wordsOf(text: string): string[] {
  return text
    .normalize('NFC')
    .replace(/[“”„«»]/g, '"')
    .replace(/[‘’]/g, "'")
    .split(/[\s|]+/)
    .filter((word) => word !== '');
}

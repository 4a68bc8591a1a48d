import type { FailedPage, ReadPage, WordConfidence } from '../../../engines/ocr/ocr-engine.js';
import type { OcrOptions } from './ocr-request.js';
import type { PageContent } from './page-images.js';

/** The text of a page in the response. */
export interface PageText {
  readonly markdown: string;
  /** Returns the words in the order of the Markdown. */
  readonly words: () => readonly WordConfidence[];
  readonly header: string | null;
  readonly footer: string | null;
}

type Margin = 'header' | 'footer';

/** Headers on left pages may differ from those on right pages. */
const comparedDistances = [-2, -1, 1, 2];
/** Longer text in a margin isn't a running header or footer. It also limits the time to compare pages. */
const maxLength = 500;
/** Share of letter pairs that two texts must have in common. Recognition makes errors. */
const minSimilarity = 0.8;
const pageNumber =
  /^\W*(?:page|p|seite|s|página|pagina|pág|pag|blad|bladzijde)?\W*\d{1,4}\W*(?:(?:of|von|sur|de|di|van)?\W*\d{1,4}\W*)?$/iu;

/**
 * Separates the requested running header and footer from a page: text in the margins that is repeated on a page nearby, or
 * that is only a page number.
 *
 * @param page may have references to images
 * @param place position of the page in `pages`
 */
export function separateRunningText(
  page: PageContent,
  place: number,
  pages: readonly (ReadPage | FailedPage)[],
  { extractHeader, extractFooter }: Pick<OcrOptions, 'extractHeader' | 'extractFooter'>,
): PageText {
  const near = comparedDistances.flatMap((distance) => pages[place + distance] ?? []);
  const header = extractHeader ? findRunningText(page, near, 'header') : null;
  const footer = extractFooter ? findRunningText(page, near, 'footer') : null;
  if (header === null && footer === null) {
    return { header, footer, markdown: page.markdown, words: () => page.words };
  }
  const start = header === null ? 0 : page.headerEnd;
  const end = footer === null ? page.markdown.length : page.footerStart;
  const words = () =>
    page.words
      .filter(({ startIndex }) => startIndex >= start && startIndex < end)
      .map((word) => ({ ...word, startIndex: word.startIndex - start }));
  return { header, footer, markdown: page.markdown.slice(start, end).trimEnd(), words };
}

function findRunningText(page: PageContent, near: readonly (ReadPage | FailedPage)[], margin: Margin): string | null {
  const text = textIn(page, margin);
  if (text === '' || text.length > maxLength) return null;
  if (pageNumber.test(text)) return text;
  const pairs = pairsOf(text);
  const isRepeated = near.some((other) => 'markdown' in other && areSimilar(pairs, pairsOf(textIn(other, margin))));
  return isRepeated ? text : null;
}

/** Returns the text in a margin, without a heading's `#`. */
function textIn({ markdown, headerEnd, footerStart }: PageContent, margin: Margin): string {
  const text = margin === 'header' ? markdown.slice(0, headerEnd) : markdown.slice(footerStart);
  return text.replace(/^#+ /, '').trim();
}

/** Returns the pairs of adjacent letters. Numbers count as one letter, because page numbers and dates differ. */
function pairsOf(text: string): Set<string> {
  if (text.length > maxLength) return new Set();
  const letters = text
    .toLowerCase()
    .replace(/\p{N}+/gu, '0')
    .replace(/[^\p{L}0]/gu, '');
  return new Set(Array.from(letters, (letter, index) => letter + (letters[index + 1] ?? '')));
}

function areSimilar(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const common = [...one].filter((pair) => other.has(pair)).length;
  return common > 0 && common >= minSimilarity * Math.max(one.size, other.size);
}

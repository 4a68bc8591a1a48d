import { francAll } from 'franc-min';
import { meanConfidence, type TextLine } from '../page.js';

/** A text with fewer letters isn't judged. */
const minLetters = 20;
/** Length of the parts of a page that are judged separately: a line or two. */
const chunkLetters = 60;
/** Share of the page that another language than its main one must have. */
const minShare = 0.2;
/** Parts with this confidence were read with the right data: clean English has 0.96, other languages at most 0.94. */
const ownConfidence = 0.95;

/** The detector's languages in Latin script. It uses the same codes as Tesseract. */
const detectable: ReadonlySet<string> = new Set(
  francAll('It knows the languages of this script.').map(([code]) => code),
);

/** Whether the languages can be told apart in text that was recognized with the data of any of them. */
export function areDetectable(languages: readonly string[]): boolean {
  return languages.every((language) => detectable.has(language));
}

/**
 * Returns the languages of a page from text that was recognized in any of the candidates, which may lack accents: its main
 * language and others with a large part. Empty for a text that is too short.
 *
 * @param current the language whose data the text was recognized with
 */
export function detectLanguages(lines: readonly TextLine[], candidates: readonly string[], current?: string): string[] {
  const main = detectLanguage(lines, candidates);
  if (main === undefined) return [];
  const shares = new Map<string, number>();
  const chunks = toChunks(lines);
  for (const chunk of chunks) {
    const language = meanConfidence(chunk) < ownConfidence ? detectLanguage(chunk, candidates) : current;
    if (language !== undefined) shares.set(language, (shares.get(language) ?? 0) + 1 / chunks.length);
  }
  const others = [...shares]
    .filter(([language, share]) => language !== main && share >= minShare)
    .sort(([, left], [, right]) => right - left)
    .map(([language]) => language);
  return [main, ...others];
}

function detectLanguage(lines: readonly TextLine[], candidates: readonly string[]): string | undefined {
  const text = toText(lines);
  if (countLetters(text) < minLetters) return undefined;
  const [best] = francAll(text, { only: [...candidates] });
  return best === undefined || best[0] === 'und' ? undefined : best[0];
}

/** Divides lines into parts with enough letters. A short rest belongs to the last part. */
function toChunks(lines: readonly TextLine[]): TextLine[][] {
  const chunks: TextLine[][] = [];
  let letters = chunkLetters;
  for (const line of lines) {
    if (letters >= chunkLetters) {
      chunks.push([]);
      letters = 0;
    }
    chunks.at(-1)?.push(line);
    letters += countLetters(toText([line]));
  }
  const last = chunks.at(-1);
  if (chunks.length > 1 && last !== undefined && letters < chunkLetters)
    chunks.splice(-2, 2, [...(chunks.at(-2) ?? []), ...last]);
  return chunks;
}

function toText(lines: readonly TextLine[]): string {
  return lines.map((line) => line.map(({ text }) => text).join(' ')).join('\n');
}

function countLetters(text: string): number {
  return text.match(/\p{L}/gu)?.length ?? 0;
}

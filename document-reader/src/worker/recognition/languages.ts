import { francAll } from 'franc-min';
import { type Box, boxAround, meanConfidence, type TextLine } from '../../page.js';

/** A text with fewer letters isn't judged. */
const minLetters = 20;
/** Length of the parts of a page that are judged separately: a line or two. */
const chunkLetters = 60;
/** Share of the page that must be in a language other than its main one. */
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

/** Returns the words in Latin script. */
function toText(lines: readonly TextLine[]): string {
  const inLatin = lines.map((line) => line.filter(({ text }) => !/[^\P{L}\p{Script=Latin}]/u.test(text)));
  return inLatin.map((line) => line.map(({ text }) => text).join(' ')).join('\n');
}

function countLetters(text: string): number {
  return text.match(/\p{L}/gu)?.length ?? 0;
}

/** A page as read with the data of a language. */
export interface Reading {
  readonly language: string;
  readonly lines: readonly TextLine[];
}

/** Gain in confidence that shows that a page is in another language. Clean English never gains. */
const minPageGain = 0.01;
/** Share of the smaller box that two readings of a line have in common. */
const minOverlap = 0.5;

/**
 * Combines readings of the same image: the most confident one, with the lines that are more confident in another one.
 *
 * @param first the others must exceed it
 * @param languages the page's languages, from which lines are taken
 */
export function mergeReadings(
  [first, ...others]: readonly [Reading, ...Reading[]],
  languages: readonly string[],
): { lines: readonly TextLine[]; languages: string[] } {
  let main = first;
  let confidence = meanConfidence(first.lines) + minPageGain;
  for (const reading of others) {
    if (meanConfidence(reading.lines) <= confidence) continue;
    [main, confidence] = [reading, meanConfidence(reading.lines)];
  }
  // The detected language was a wrong guess, as on short pages.
  if (main === first && !languages.includes(first.language)) return { lines: first.lines, languages: [first.language] };
  const rest = [first, ...others].filter((reading) => reading !== main && languages.includes(reading.language));
  const used = new Set([main.language]);
  const lines = main.lines.map((line) => {
    let best = { line, language: main.language };
    for (const { language, lines: candidates } of rest) {
      const candidate = candidates.find((other) => isSameLine(line, other));
      if (candidate === undefined || meanConfidence([candidate]) <= meanConfidence([best.line])) continue;
      best = { line: candidate, language };
    }
    used.add(best.language);
    return best.line;
  });
  return { lines, languages: [...used] };
}

function isSameLine(one: TextLine, other: TextLine): boolean {
  const [left, right] = [boxAround(one.map(({ box }) => box)), boxAround(other.map(({ box }) => box))];
  const width = Math.min(left.right, right.right) - Math.max(left.left, right.left);
  const height = Math.min(left.bottom, right.bottom) - Math.max(left.top, right.top);
  const [larger, smaller] = [Math.max(areaOf(left), areaOf(right)), Math.min(areaOf(left), areaOf(right))];
  return width > 0 && height > 0 && width * height >= minOverlap * smaller && smaller >= minOverlap * larger;
}

function areaOf({ left, top, right, bottom }: Box): number {
  return (right - left) * (bottom - top);
}

import { type Box, boxAround, meanConfidence, type TextLine } from '../page.js';

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
 * @param languages those of the page, from which lines are taken
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

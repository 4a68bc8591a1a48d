import { type Box, boxAround, meanConfidence, type TextLine } from '../../page.js';
import type { Raster } from '../image/raster.js';

/** Pages in a different script from the data reach 0.45, legible ones in the same script 0.7. */
const minLineConfidence = 0.65;
/** Share of the characters of a page that must be in such lines. */
const minShare = 0.2;
/** Length of the sample that is read with other data: a line or two, which take 0.1 s. */
const sampleCharacters = 80;
/** White space around the lines of the sample, relative to their height. */
const spacing = 0.5;
/** Fewer letters may be shapes that look like letters. */
const minLetters = 4;
/** Samples reach 0.83 with the right data, and 0.78 with another script's data. */
const minConfidence = 0.8;
/** Latin text may be in a different language from the data. */
const minLatinConfidence = 0.65;

const latin = 'Latn';
/** Variants of Tesseract's language data in a script unusual for the language, such as `srp_latn`. */
const scriptsOfVariants: Readonly<Record<string, string>> = { latn: latin, latf: latin, cyrl: 'Cyrl' };

/** Returns the script of a language (ISO 15924); undefined for data that isn't of a language, such as `osd`. */
export function scriptOf(language: string): string | undefined {
  const [code = '', variant = ''] = language.split('_');
  const script = scriptsOfVariants[variant];
  if (script !== undefined) return script;
  try {
    return new Intl.Locale(code).maximize().script;
  } catch {
    return undefined;
  }
}

export function isLatin(language: string): boolean {
  return scriptOf(language) === latin;
}

/** A page that may have lines in scripts other than the one it was read with. */
interface PageReading {
  readonly image: Raster;
  readonly language: string;
  readonly lines: readonly TextLine[];
}

/**
 * Finds the language of lines that were read so badly that they seem to be in another script, by reading a sample of them
 * with the data of other scripts.
 *
 * @param candidates the most likely first
 * @param read recognizes an image with the data of a language
 */
export async function detectScript(
  { image, language, lines }: PageReading,
  candidates: readonly string[],
  read: (sample: Raster, language: string) => readonly TextLine[] | Promise<readonly TextLine[]>,
): Promise<string | undefined> {
  const script = scriptOf(language);
  const others = candidates.filter((candidate) => scriptOf(candidate) !== script);
  const doubtful = lines.filter((line) => meanConfidence([line]) < minLineConfidence);
  if (others.length === 0 || lengthOf(doubtful) < minShare * Math.max(1, lengthOf(lines))) return undefined;
  const sample = stackLines(image, doubtful);
  const confidences = new Map<string, number>();
  const choose = async (languages: readonly string[]) => {
    for (const other of languages) {
      if (!confidences.has(other)) confidences.set(other, confidenceInOwnScript(await read(sample, other), other));
    }
    return [...confidences].sort(([, one], [, other]) => other - one)[0];
  };
  const firstOfEach = others.filter((other, index) => isFirstOfScript(other, index, others));
  const [first] = (await choose(firstOfEach)) ?? [];
  if (first === undefined) return undefined;
  // The words of a Latin text show its language better than the confidence.
  const sameScript = isLatin(first) ? [] : others.filter((other) => scriptOf(other) === scriptOf(first));
  const [best = first, confidence = 0] = (await choose(sameScript)) ?? [];
  return confidence >= (isLatin(best) ? minLatinConfidence : minConfidence) ? best : undefined;
}

function isFirstOfScript(language: string, index: number, languages: readonly string[]): boolean {
  return languages.findIndex((other) => scriptOf(other) === scriptOf(language)) === index;
}

/** Returns 0 for text in another script: data of some languages includes Latin letters. */
function confidenceInOwnScript(lines: readonly TextLine[], language: string): number {
  const text = lines.flat().reduce((all, word) => all + word.text, '');
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const latinLetters = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  const ownLetters = isLatin(language) ? latinLetters : letters - latinLetters;
  return ownLetters >= minLetters && ownLetters > letters / 2 ? meanConfidence(lines) : 0;
}

function lengthOf(lines: readonly TextLine[]): number {
  return lines.flat().reduce((sum, { text }) => sum + text.length, 0);
}

/** Returns the first lines, one below the other. */
function stackLines(image: Raster, lines: readonly TextLine[]): Raster {
  const boxes: Box[] = [];
  let length = 0;
  for (const line of lines) {
    if (length >= sampleCharacters) break;
    length += lengthOf([line]);
    boxes.push(boxAround(line.map(({ box }) => box)));
  }
  const margins = boxes.map(({ top, bottom }) => Math.ceil(spacing * (bottom - top)));
  const [maxMargin, maxWidth] = [Math.max(...margins), Math.max(...boxes.map(({ left, right }) => right - left))];
  const width = maxWidth + 2 * maxMargin;
  const height = boxes.reduce((sum, { top, bottom }, index) => sum + bottom - top + 2 * (margins[index] ?? 0), 0);
  const pixels = Buffer.alloc(width * height, 255);
  let y = 0;
  boxes.forEach(({ left, top, right, bottom }, index) => {
    y += margins[index] ?? 0;
    for (let row = top; row < bottom; row += 1, y += 1) {
      image.pixels.copy(pixels, y * width + maxMargin, row * image.width + left, row * image.width + right);
    }
    y += margins[index] ?? 0;
  });
  return { pixels, width, height, dpi: image.dpi };
}

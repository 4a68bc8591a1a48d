import type { LanguageCandidates } from '../../language-data.js';
import { type Method, otsu, singleBlock, singleColumn } from '../../method.js';
import { type Box, meanConfidence, type TextLine } from '../../page.js';
import { isBlankPage } from './blank-page.js';
import { toDarkOnLight } from '../image/dark-regions.js';
import { areDetectable, detectLanguages, mergeReadings, type Reading } from './languages.js';
import { prepareImage } from '../image/prepare-image.js';
import { type Raster, rotate180 } from '../image/raster.js';
import { detectScript, isLatin } from './scripts.js';
import type { Tesseract } from './tesseract.js';

/** Below this, the page may be upside down or badly prepared. Upside-down pages reach 0.5, legible ones 0.7. */
const minConfidence = 0.65;
/** Words with a lower confidence are shapes that look like letters. */
const minPlausibleConfidence = 0.5;
/** How much more plausible text another attempt must find. */
const minGain = 1.2;
/** A lone digit reaches 0.97, a circle 0.8. */
const minLoneConfidence = 0.9;

/** In different languages, of a page. Most take one or two. */
const maxReadings = 3;

/** The text of an image. */
export interface Recognition {
  /** In reading order. Their boxes refer to the image after it was straightened, cut out or rotated. */
  readonly lines: readonly TextLine[];
  /** The bounds of this image. */
  readonly bounds: Box;
  /** Whether there are no lines because nothing is on the image. */
  readonly isBlank: boolean;
  /** The languages of the data that the lines were read with, the main one first. */
  readonly languages: readonly string[];
}

/** One way to read an image. */
interface Attempt {
  readonly image: Raster;
  readonly method: Partial<Method>;
  readonly minConfidence: number;
  /** Whether the script is detected. Attempts with the same orientation have the same. */
  readonly detectsScript: boolean;
}

/** The lines of an image as first read, and the language of those that seem to be in another script. */
interface FirstReading {
  readonly attempt: Attempt;
  readonly lines: readonly TextLine[];
  readonly script: string | undefined;
}

/** Recognizes the text of a document's images. The languages of a page are expected on the next one. */
export class Recognizer {
  private readonly detects: boolean;
  private readonly candidates: readonly string[];
  /** The candidates that detection distinguishes by their words. */
  private readonly latinCandidates: readonly string[];
  /** What an image is read with first. */
  private languages: readonly string[];

  /** Chosen languages that detection cannot distinguish are used together. */
  constructor(
    private readonly tesseract: Tesseract,
    { languages, areAutomatic }: LanguageCandidates,
  ) {
    this.candidates = languages;
    this.latinCandidates = languages.filter(isLatin);
    this.detects = languages.length > 1 && (areAutomatic || areDetectable(languages));
    this.languages = this.detects ? languages.slice(0, 1) : languages;
  }

  /** Expects the language of this text in the next image. */
  expect(text: readonly TextLine[]): void {
    const [language] = this.detects ? detectLanguages(text, this.latinCandidates) : [];
    if (language !== undefined) this.languages = [language];
  }

  async recognize(image: Raster): Promise<Recognition> {
    const prepared = await prepareImage(image);
    let best = await this.readFirst(prepared);
    for (const attempt of furtherAttempts(image, prepared, best.lines.length === 0)) {
      if (best.script !== undefined || meanConfidence(best.lines) >= minConfidence) break;
      const found = await this.read(attempt);
      const isBetter = plausibility(found.lines) > minGain * plausibility(best.lines);
      if (isBetter || found.script !== undefined) best = found;
    }
    // Words on a blank page are noise.
    if (plausibility(best.lines) === 0 && best.script === undefined && (await isBlankPage(image))) {
      return { lines: [], bounds: boundsOf(image), isBlank: true, languages: [] };
    }
    return { ...(await this.readInOwnLanguages(best)), bounds: boundsOf(best.attempt.image), isBlank: false };
  }

  /** Reads a page in the previous page's language. If that isn't in Latin script and confidence is low, reads it in the first. */
  private async readFirst(image: Raster): Promise<FirstReading> {
    const attempt = { image, method: {}, minConfidence: 0, detectsScript: true };
    const found = await this.read(attempt);
    const [language = ''] = this.languages;
    if (!this.detects || isLatin(language)) return found;
    if (found.script !== undefined || meanConfidence(found.lines) >= minConfidence) return found;
    this.languages = this.candidates.slice(0, 1);
    return this.read(attempt);
  }

  private async read(attempt: Attempt): Promise<FirstReading> {
    const { image, method } = attempt;
    const lines = await this.tesseract.recognize(image, this.languages, method);
    if (meanConfidence(lines) < attempt.minConfidence) return { attempt, lines: [], script: undefined };
    const [language = ''] = this.languages;
    const readSample = (sample: Raster, other: string) =>
      this.tesseract.recognize(sample, [other], { segmentation: singleColumn });
    const script =
      this.detects && attempt.detectsScript
        ? await detectScript({ image, language, lines }, this.candidates, readSample)
        : undefined;
    return { attempt, lines, script };
  }

  /** Reads the image again with the data of the languages that its text seems to be in. */
  private async readInOwnLanguages({ attempt: { image, method }, lines, script }: FirstReading) {
    const [language] = this.languages;
    let merged: ReturnType<typeof mergeReadings> = { lines, languages: lines.length === 0 ? [] : [...this.languages] };
    if (!this.detects || language === undefined) return merged;
    const readings: [Reading, ...Reading[]] = [{ language, lines }];
    const others = script === undefined ? [] : [script];
    while (readings.length < maxReadings) {
      const detected = [...others, ...detectLanguages(merged.lines, this.latinCandidates, merged.languages[0])];
      const next = detected.find((other) => readings.every((reading) => reading.language !== other));
      if (next === undefined) break;
      readings.push({ language: next, lines: await this.tesseract.recognize(image, [next], method) });
      merged = mergeReadings(readings, detected);
    }
    this.languages = readings.length > 1 ? merged.languages.slice(0, 1) : this.languages;
    return merged;
  }
}

function boundsOf({ width, height }: Raster): Box {
  return { left: 0, top: 0, right: width, bottom: height };
}

/** Returns ways to read an image whose first result is empty or doubtful, each with pages that need it. */
function furtherAttempts(image: Raster, prepared: Raster, isEmpty: boolean): Attempt[] {
  const usual = { method: {}, minConfidence: 0, detectsScript: false };
  // Light text on gray, which preparation takes for paper.
  const unprepared: Attempt = { ...usual, image: toDarkOnLight(image), method: { threshold: otsu } };
  if (!isEmpty) return [{ ...usual, image: rotate180(prepared), detectsScript: true }, unprepared];
  // A single letter or digit, which page segmentation takes for noise.
  const lone: Attempt = {
    ...usual,
    image: prepared,
    method: { segmentation: singleBlock },
    minConfidence: minLoneConfidence,
  };
  return [unprepared, lone];
}

/** Returns the amount of plausible text: characters, weighted by their confidence. */
function plausibility(lines: readonly TextLine[]): number {
  const words = lines.flat().filter(({ confidence }) => confidence >= minPlausibleConfidence);
  return words.reduce((sum, { text, confidence }) => sum + confidence * text.length, 0);
}

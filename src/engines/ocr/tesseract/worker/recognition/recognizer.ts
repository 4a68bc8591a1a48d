import { type Box, meanConfidence, type TextLine } from '../../page.js';
import { isBlankPage } from './blank-page.js';
import { toDarkOnLight } from '../image/dark-regions.js';
import { areDetectable, detectLanguages, mergeReadings, type Reading } from './languages.js';
import { prepareImage } from '../image/prepare-image.js';
import { type Raster, rotate180 } from '../image/raster.js';
import { type Method, otsu, singleBlock, type Tesseract } from './tesseract.js';

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
  /** Of this image. */
  readonly bounds: Box;
  /** Whether there are no lines because nothing is on the image. */
  readonly isBlank: boolean;
  /** The languages of the data that the lines were read with, the main one first. */
  readonly languages: readonly string[];
}

/** One way to read an image. */
interface Attempt {
  readonly image: Raster;
  readonly method: Method;
  readonly minConfidence: number;
}

/** Recognizes the text of a document's images. The languages of a page are expected on the next one. */
export class Recognizer {
  private readonly detects: boolean;
  /** What an image is read with first. */
  private languages: readonly string[];

  /** @param candidates languages to detect, the most likely first. If they can't be told apart, all are used together. */
  constructor(
    private readonly tesseract: Tesseract,
    private readonly candidates: readonly string[],
  ) {
    this.detects = areDetectable(candidates);
    this.languages = this.detects ? candidates.slice(0, 1) : candidates;
  }

  /** Expects the language of this text in the next image. */
  expect(text: readonly TextLine[]): void {
    const [language] = this.detects ? detectLanguages(text, this.candidates) : [];
    if (language !== undefined) this.languages = [language];
  }

  async recognize(image: Raster): Promise<Recognition> {
    const prepared = await prepareImage(image);
    let best = this.read({ image: prepared, method: {}, minConfidence: 0 });
    for (const attempt of furtherAttempts(image, prepared, best.lines.length === 0)) {
      if (meanConfidence(best.lines) >= minConfidence) break;
      const found = this.read(attempt);
      if (plausibility(found.lines) > minGain * plausibility(best.lines)) best = found;
    }
    // Words on a blank page are noise.
    if (plausibility(best.lines) === 0 && (await isBlankPage(image))) {
      return { lines: [], bounds: boundsOf(image), isBlank: true, languages: [] };
    }
    return { ...this.readInOwnLanguages(best), bounds: boundsOf(best.attempt.image), isBlank: false };
  }

  private read(attempt: Attempt) {
    const lines = this.tesseract.recognize(attempt.image, this.languages, attempt.method);
    return { attempt, lines: meanConfidence(lines) >= attempt.minConfidence ? lines : [] };
  }

  /** Reads the image again with the data of the languages that its text seems to be in. */
  private readInOwnLanguages({ attempt: { image, method }, lines }: ReturnType<Recognizer['read']>) {
    const [language] = this.languages;
    let merged: ReturnType<typeof mergeReadings> = { lines, languages: lines.length === 0 ? [] : [...this.languages] };
    if (!this.detects || this.candidates.length === 1 || language === undefined) return merged;
    const readings: [Reading, ...Reading[]] = [{ language, lines }];
    while (readings.length < maxReadings) {
      const detected = detectLanguages(merged.lines, this.candidates, merged.languages[0]);
      const next = detected.find((other) => readings.every((reading) => reading.language !== other));
      if (next === undefined) break;
      readings.push({ language: next, lines: this.tesseract.recognize(image, [next], method) });
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
  // Light text on gray, which preparation takes for paper.
  const unprepared = { image: toDarkOnLight(image), method: { threshold: otsu }, minConfidence: 0 };
  if (!isEmpty) return [{ image: rotate180(prepared), method: {}, minConfidence: 0 }, unprepared];
  // A single letter or digit, which page segmentation takes for noise.
  return [unprepared, { image: prepared, method: { segmentation: singleBlock }, minConfidence: minLoneConfidence }];
}

/** Returns the amount of plausible text: characters, weighted by their confidence. */
function plausibility(lines: readonly TextLine[]): number {
  const words = lines.flat().filter(({ confidence }) => confidence >= minPlausibleConfidence);
  return words.reduce((sum, { text, confidence }) => sum + confidence * text.length, 0);
}

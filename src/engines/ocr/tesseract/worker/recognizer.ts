import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gunzipSync } from 'node:zlib';
import { languageFile } from '../language-data.js';
import type { TextLine, TextWord } from '../page.js';
import { isBlankPage } from './blank-page.js';
import { toDarkOnLight } from './dark-regions.js';
import { readLostText } from './lost-text.js';
import { prepareImage } from './prepare-image.js';
import { type Raster, rotate180 } from './raster.js';

const neuralEngineMode = 1;
/** Below this, the page may be upside down or badly prepared. Upside-down pages reach 0.5, legible ones 0.7. */
const minConfidence = 0.65;
/** Words with a lower confidence are shapes that look like letters. */
const minPlausibleConfidence = 0.5;
/** How much more plausible text another attempt must find. */
const minGain = 1.2;
/** A lone digit reaches 0.97, a circle 0.8. */
const minLoneConfidence = 0.9;

/** The text of an image. */
export interface Recognition {
  /** In reading order. If the image was rotated for recognition, their boxes refer to the rotated image. */
  readonly lines: TextLine[];
  /** Whether there are no lines because nothing is on the image. */
  readonly isBlank: boolean;
}

/** Values of Tesseract's `thresholding_method`: one threshold for the page, or one that adapts to local brightness. */
const otsu = '0';
const sauvola = '2';
/** Value of `thresholding_kfactor`. The usual 0.34 loses light gray text next to black text. */
const sauvolaFactor = '0.2';
/** Values of `tessedit_pageseg_mode`: the automatic mode detects columns and tables. */
const automatic = '3';
const singleBlock = '6';

interface Method {
  readonly threshold?: string;
  readonly segmentation?: string;
}

type Core = Awaited<ReturnType<typeof loadTesseractCore>>;

/** Recognizes text in images. */
export class Recognizer {
  private constructor(
    private readonly core: Core,
    private readonly api: InstanceType<Core['TessBaseAPI']>,
  ) {}

  /** @throws Error if the data of a language is missing or damaged */
  static async load(languages: readonly string[]): Promise<Recognizer> {
    const core = await loadTesseractCore();
    for (const language of languages) {
      core.FS.writeFile(`${language}.traineddata`, gunzipSync(readFileSync(languageFile(language))));
    }
    const api = new core.TessBaseAPI();
    if (api.Init(null, languages.join('+'), neuralEngineMode) !== 0) {
      throw new Error(`Tesseract cannot read its language data (${languages.join(', ')}).`);
    }
    api.SetVariable('thresholding_kfactor', sauvolaFactor);
    return new Recognizer(core, api);
  }

  async recognize(image: Raster): Promise<Recognition> {
    const prepared = await prepareImage(image);
    let lines = this.recognizeUpright(prepared);
    for (const attempt of this.furtherAttempts(image, prepared, lines.length === 0)) {
      if (meanConfidence(lines) >= minConfidence) break;
      const found = attempt();
      if (plausibility(found) > minGain * plausibility(lines)) lines = found;
    }
    // Words on a blank page are noise.
    const isBlank = plausibility(lines) === 0 && (await isBlankPage(image));
    return { lines: isBlank ? [] : lines, isBlank };
  }

  /** Ways to read an image whose first result is empty or doubtful, each with pages that need it. */
  private furtherAttempts(image: Raster, prepared: Raster, isEmpty: boolean): (() => TextLine[])[] {
    // Light text on gray, which preparation takes for paper.
    const unprepared = () => this.recognizeUpright(toDarkOnLight(image), { threshold: otsu });
    if (!isEmpty) return [() => this.recognizeUpright(rotate180(prepared)), unprepared];
    // A single letter or digit, which page segmentation takes for noise.
    const asBlock = () => {
      const lines = this.recognizeUpright(prepared, { segmentation: singleBlock });
      return meanConfidence(lines) >= minLoneConfidence ? lines : [];
    };
    return [unprepared, asBlock];
  }

  private recognizeUpright(image: Raster, { threshold = sauvola, segmentation = automatic }: Method = {}): TextLine[] {
    const { pixels, width, height, dpi } = image;
    this.api.SetVariable('thresholding_method', threshold);
    this.api.SetVariable('tessedit_pageseg_mode', segmentation);
    // PGM, the simplest format that Tesseract reads. It needs no compression.
    this.core.FS.writeFile('/input', Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), pixels]));
    this.api.SetVariable('user_defined_dpi', String(dpi));
    if (this.api.SetImageFile(1, 0) !== 0) throw new Error('Tesseract cannot read the image.');
    this.api.Recognize(null);
    const lines = readTsv(this.api.GetTSVText());
    this.api.Clear();
    if (segmentation !== automatic) return lines;
    const readLost = (lost: Raster) => this.recognizeUpright(lost, { threshold, segmentation: singleBlock });
    return [...lines, ...readLostText(image, lines, readLost)];
  }
}

/** The used part of the compiled Tesseract. */
interface TesseractApi {
  /** Returns 0 on success. */
  Init(dataFolder: null, languages: string, engineMode: number): number;
  SetVariable(name: string, value: string): void;
  /** Reads the file `/input`. Returns 0 on success. */
  SetImageFile(exifOrientation: number, radians: number): number;
  Recognize(monitor: null): number;
  GetTSVText(): string;
  Clear(): void;
}

interface TesseractCore {
  /** An in-memory file system. */
  readonly FS: { writeFile(path: string, content: Uint8Array): void };
  readonly TessBaseAPI: new () => TesseractApi;
}

type LoadCore = (options: { print: () => void; printErr: () => void }) => Promise<TesseractCore>;

/** Loads Tesseract as WebAssembly, with its neural engine only. */
function loadTesseractCore(): Promise<TesseractCore> {
  const load = createRequire(import.meta.url)('tesseract.js-core/tesseract-core-simd-lstm') as LoadCore;
  const ignore = () => undefined;
  return load({ print: ignore, printErr: ignore });
}

const lineLevel = '4';
const wordLevel = '5';

/** Converts Tesseract's result table to lines. */
export function readTsv(tsv: string): TextLine[] {
  const lines: TextWord[][] = [];
  for (const row of tsv.split('\n')) {
    const [level, , , , , , left, top, width, height, confidence, text = ''] = row.split('\t');
    if (level === lineLevel) lines.push([]);
    if (level !== wordLevel || text.trim() === '') continue;
    const [x, y] = [Number(left), Number(top)];
    const box = { left: x, top: y, right: x + Number(width), bottom: y + Number(height) };
    lines.at(-1)?.push({ text: text.trim(), confidence: Math.round(Number(confidence) * 100) / 10_000, box });
  }
  return lines.filter((line) => line.length > 0);
}

/** Returns the amount of plausible text: characters, weighted by their confidence. */
function plausibility(lines: readonly TextLine[]): number {
  const words = lines.flat().filter(({ confidence }) => confidence >= minPlausibleConfidence);
  return words.reduce((sum, { text, confidence }) => sum + confidence * text.length, 0);
}

/** Returns the mean confidence of all words, weighted by length: 0 to 1. */
export function meanConfidence(lines: readonly TextLine[]): number {
  const words = lines.flat();
  const characters = words.reduce((sum, { text }) => sum + text.length, 0);
  return words.reduce((sum, { text, confidence }) => sum + confidence * text.length, 0) / Math.max(1, characters);
}

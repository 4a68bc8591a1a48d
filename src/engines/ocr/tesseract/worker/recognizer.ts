import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gunzipSync } from 'node:zlib';
import { languageFile } from '../language-data.js';
import type { TextLine, TextWord } from '../page.js';
import { prepareImage } from './prepare-image.js';
import { type Raster, rotate180 } from './raster.js';

const neuralEngineMode = 1;
/** Below this, the page may be upside down. Such pages reach 0.5, legible ones 0.7. */
const minConfidence = 0.65;
/** Gain in confidence that shows that the page is upside down. */
const minRotationGain = 0.1;

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
    // Mode 3 detects columns and tables. Method 2 (Sauvola) adapts the threshold to local brightness.
    api.SetVariable('tessedit_pageseg_mode', '3');
    api.SetVariable('thresholding_method', '2');
    return new Recognizer(core, api);
  }

  /** Returns lines in reading order. If the image was rotated for recognition, their boxes refer to the rotated image. */
  async recognize(image: Raster): Promise<TextLine[]> {
    const prepared = await prepareImage(image);
    const lines = this.recognizeUpright(prepared);
    if (lines.length === 0 || meanConfidence(lines) >= minConfidence) return lines;
    const rotated = this.recognizeUpright(rotate180(prepared));
    const isUpsideDown = meanConfidence(rotated) > meanConfidence(lines) + minRotationGain;
    return isUpsideDown ? rotated : lines;
  }

  private recognizeUpright({ pixels, width, height, dpi }: Raster): TextLine[] {
    // PGM, the simplest format that Tesseract reads. It needs no compression.
    this.core.FS.writeFile('/input', Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), pixels]));
    this.api.SetVariable('user_defined_dpi', String(dpi));
    if (this.api.SetImageFile(1, 0) !== 0) throw new Error('Tesseract cannot read the image.');
    this.api.Recognize(null);
    const lines = readTsv(this.api.GetTSVText());
    this.api.Clear();
    return lines;
  }
}

/** Images with a lower mean brightness are treated as light on dark. */
const minLightBrightness = 110;
/** Every n-th pixel is sampled. */
const sampleStep = 97;

/** Inverts light-on-dark images, because Tesseract would lose light text when it converts to black and white. */
export function toDarkOnLight(pixels: Buffer): Buffer {
  let sum = 0;
  for (let index = 0; index < pixels.length; index += sampleStep) sum += pixels[index] ?? 0;
  const isDark = sum / Math.ceil(pixels.length / sampleStep) < minLightBrightness;
  return isDark ? Buffer.from(pixels.map((value) => 255 - value)) : pixels;
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

/** Returns the mean confidence of all words, weighted by length: 0 to 1. */
export function meanConfidence(lines: readonly TextLine[]): number {
  const words = lines.flat();
  const characters = words.reduce((sum, { text }) => sum + text.length, 0);
  return words.reduce((sum, { text, confidence }) => sum + confidence * text.length, 0) / Math.max(1, characters);
}

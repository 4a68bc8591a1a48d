import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gunzipSync } from 'node:zlib';
import { languageFile } from '../language-data.js';
import type { TextLine, TextWord } from '../layout/text.js';

const NEURAL_RECOGNIZER = 1;
/** Below it a page may be upside down: such pages reach 0.5, legible ones 0.7. */
const DOUBTFUL_CONFIDENCE = 0.65;
const CLEARLY_BETTER = 0.1;

type Core = Awaited<ReturnType<typeof loadTesseractCore>>;

/** Finds the text in pictures. */
export class Recognizer {
  private constructor(
    private readonly core: Core,
    private readonly api: InstanceType<Core['TessBaseAPI']>,
  ) {}

  /** @throws when the data of a language is missing or broken */
  static async load(languages: readonly string[]): Promise<Recognizer> {
    const core = await loadTesseractCore();
    for (const language of languages) {
      core.FS.writeFile(`${language}.traineddata`, gunzipSync(readFileSync(languageFile(language))));
    }
    const api = new core.TessBaseAPI();
    if (api.Init(null, languages.join('+'), NEURAL_RECOGNIZER) !== 0) {
      throw new Error(`Tesseract cannot read its data for ${languages.join(', ')}.`);
    }
    // Mode 3 finds columns and tables; Sauvola's thresholds follow the brightness from place to place.
    api.SetVariable('tessedit_pageseg_mode', '3');
    api.SetVariable('thresholding_method', '2');
    return new Recognizer(core, api);
  }

  /** The lines of a picture in reading order, in its pixels; of one that is upside down, in those of the turned one. */
  recognize(picture: Raster): TextLine[] {
    const lines = this.recognizeAsIs(picture);
    if (lines.length === 0 || meanConfidence(lines) >= DOUBTFUL_CONFIDENCE) return lines;
    const turned = this.recognizeAsIs(turnAround(picture));
    const isUpsideDown = meanConfidence(turned) > meanConfidence(lines) + CLEARLY_BETTER;
    return isUpsideDown ? turned : lines;
  }

  private recognizeAsIs({ pixels, width, height, dpi }: Raster): TextLine[] {
    // The simplest format that Tesseract reads: nothing has to be compressed.
    this.core.FS.writeFile('/input', Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), pixels]));
    this.api.SetVariable('user_defined_dpi', String(dpi));
    if (this.api.SetImageFile(1, 0) !== 0) throw new Error('Tesseract cannot read the picture.');
    this.api.Recognize(null);
    const lines = readTsv(this.api.GetTSVText());
    this.api.Clear();
    return lines;
  }
}

/** Mean brightness below which a picture is taken for light on dark. */
const DARK_BRIGHTNESS = 110;
const SAMPLE_DISTANCE = 97;

/** A grey picture, ready to be recognised. */
export interface Raster {
  /** Row by row from the top, one byte each: 0 is black. */
  readonly pixels: Buffer;
  readonly width: number;
  readonly height: number;
  readonly dpi: number;
}

/** Turns a picture by 180 degrees. */
export function turnAround({ pixels, ...size }: Raster): Raster {
  return { ...size, pixels: Buffer.from(pixels).reverse() };
}

/** Turns light on dark into dark on light: light text would be lost when the picture becomes black and white. */
export function toDarkOnLight(pixels: Buffer): Buffer {
  let sum = 0;
  for (let index = 0; index < pixels.length; index += SAMPLE_DISTANCE) sum += pixels[index] ?? 0;
  const isDark = sum / Math.ceil(pixels.length / SAMPLE_DISTANCE) < DARK_BRIGHTNESS;
  return isDark ? Buffer.from(pixels.map((value) => 255 - value)) : pixels;
}

/** The part of the compiled Tesseract that is used here. */
interface TesseractApi {
  /** 0 when it has worked. */
  Init(dataFolder: null, languages: string, engineMode: number): number;
  SetVariable(name: string, value: string): void;
  /** Reads the file `/input`; 0 when it has worked. */
  SetImageFile(exifOrientation: number, radians: number): number;
  Recognize(monitor: null): number;
  GetTSVText(): string;
  Clear(): void;
}

interface TesseractCore {
  /** Its own, in memory. */
  readonly FS: { writeFile(path: string, content: Uint8Array): void };
  readonly TessBaseAPI: new () => TesseractApi;
}

type LoadCore = (options: { print: () => void; printErr: () => void }) => Promise<TesseractCore>;

/** Tesseract compiled to WebAssembly, with the neural recogniser alone. */
export function loadTesseractCore(): Promise<TesseractCore> {
  const load = createRequire(import.meta.url)('tesseract.js-core/tesseract-core-simd-lstm') as LoadCore;
  const ignore = () => undefined;
  return load({ print: ignore, printErr: ignore });
}

const LINE_LEVEL = '4';
const WORD_LEVEL = '5';

/** Tesseract's table of what it has found, as lines. */
export function readTsv(tsv: string): TextLine[] {
  const lines: TextWord[][] = [];
  for (const row of tsv.split('\n')) {
    const [level, , , , , , left, top, width, height, confidence, text = ''] = row.split('\t');
    if (level === LINE_LEVEL) lines.push([]);
    if (level !== WORD_LEVEL || text.trim() === '') continue;
    const [x, y] = [Number(left), Number(top)];
    const box = { left: x, top: y, right: x + Number(width), bottom: y + Number(height) };
    lines.at(-1)?.push({ text: text.trim(), confidence: Math.round(Number(confidence) * 100) / 10_000, box });
  }
  return lines.filter((line) => line.length > 0);
}

/** Of the words, weighted by their length: 0 to 1. */
export function meanConfidence(lines: readonly TextLine[]): number {
  const words = lines.flat();
  const characters = words.reduce((sum, { text }) => sum + text.length, 0);
  return words.reduce((sum, { text, confidence }) => sum + confidence * text.length, 0) / Math.max(1, characters);
}

import { createRequire } from 'node:module';
import { errorMessage } from '../../../../../common/errors/error-utils.js';
import type { LanguageData } from '../../language-data.js';
import type { TextLine, TextWord } from '../../page.js';
import { readLostText } from './lost-text.js';
import type { Raster } from '../image/raster.js';

const neuralEngineMode = 1;
/** Each takes 10 to 30 MB. Loading one takes 50 ms. */
const maxLoadedLanguages = 4;

/** Values of Tesseract's `thresholding_method`: one threshold for the page, or one that adapts to local brightness. */
export const otsu = '0';
const sauvola = '2';
/** Value of `thresholding_kfactor`. The usual 0.34 loses light gray text next to black text. */
const sauvolaFactor = '0.2';
/** Values of `tessedit_pageseg_mode`: the automatic mode detects columns and tables. */
const automatic = '3';
export const singleColumn = '4';
export const singleBlock = '6';

export interface Method {
  readonly threshold?: string;
  readonly segmentation?: string;
}

/** Tesseract could not be loaded. */
export class LoadError extends Error {}

/** Recognizes text with the data of a language, or of several together. Loads them at the first use. */
export class Tesseract {
  /** By languages, the most recently used last. */
  private readonly loaded = new Map<string, TesseractApi>();

  private constructor(
    private readonly core: TesseractCore,
    private readonly data: LanguageData,
  ) {}

  /** @throws LoadError */
  static async load(data: LanguageData): Promise<Tesseract> {
    const load = createRequire(import.meta.url)('tesseract.js-core/tesseract-core-simd-lstm') as LoadCore;
    const ignore = () => undefined;
    try {
      return new Tesseract(await load({ print: ignore, printErr: ignore }), data);
    } catch (cause) {
      throw toLoadError(cause);
    }
  }

  /**
   * Returns lines in reading order.
   *
   * @throws LoadError if the data of a language is missing or damaged
   */
  recognize(image: Raster, languages: readonly string[], method: Method = {}): TextLine[] {
    const api = this.apiFor(languages);
    const { pixels, width, height, dpi } = image;
    const { threshold = sauvola, segmentation = automatic } = method;
    api.SetVariable('thresholding_method', threshold);
    api.SetVariable('tessedit_pageseg_mode', segmentation);
    api.SetVariable('user_defined_dpi', String(dpi));
    // PGM, the simplest format that Tesseract reads. It needs no compression.
    this.core.FS.writeFile('/input', Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), pixels]));
    if (api.SetImageFile(1, 0) !== 0) throw new Error('Tesseract cannot read the image.');
    api.Recognize(null);
    const found = readTsv(api.GetTSVText());
    api.Clear();
    const lines = found.map((line) => correctMicroSigns(correctArticles(line, languages)));
    if (segmentation !== automatic) return lines;
    const readLost = (lost: Raster) => this.recognize(lost, languages, { threshold, segmentation: singleBlock });
    return [...lines, ...readLostText(image, lines, readLost)];
  }

  private apiFor(languages: readonly string[]): TesseractApi {
    const key = languages.join('+');
    const api = this.loaded.get(key) ?? this.initialize(languages);
    this.loaded.delete(key);
    this.loaded.set(key, api);
    const [oldest] = this.loaded;
    if (oldest !== undefined && this.loaded.size > maxLoadedLanguages) {
      this.loaded.delete(oldest[0]);
      oldest[1].End();
      this.core.destroy(oldest[1]);
    }
    return api;
  }

  private initialize(languages: readonly string[]): TesseractApi {
    const { FS, TessBaseAPI } = this.core;
    const api = new TessBaseAPI();
    try {
      for (const language of languages) {
        FS.writeFile(`${language}.traineddata`, this.data.read(language));
      }
      const result = api.Init(null, languages.join('+'), neuralEngineMode);
      for (const language of languages) FS.unlink(`${language}.traineddata`);
      if (result !== 0) throw new Error(`Tesseract cannot read its language data (${languages.join(', ')}).`);
      api.SetVariable('thresholding_kfactor', sauvolaFactor);
      return api;
    } catch (cause) {
      throw toLoadError(cause);
    }
  }
}

function toLoadError(cause: unknown): LoadError {
  return new LoadError(`Tesseract could not be loaded: ${errorMessage(cause)}`, { cause });
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
  /** Frees the language data. */
  End(): void;
}

/** Tesseract as WebAssembly, with its neural engine only. */
interface TesseractCore {
  /** An in-memory file system. */
  readonly FS: { writeFile(path: string, content: Uint8Array): void; unlink(path: string): void };
  readonly TessBaseAPI: new () => TesseractApi;
  destroy(object: TesseractApi): void;
}

type LoadCore = (options: { print: () => void; printErr: () => void }) => Promise<TesseractCore>;

/** Words that are misread as vertical bars, by language: the articles `il` and `i`, and the pronoun `il`. */
const misreadArticles: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ita: { '||': 'Il', '|': 'I' },
  fra: { '||': 'Il' },
};

/** Corrects capitalized articles, which start a sentence. A bar before other text is left as it is. */
export function correctArticles(line: TextLine, [language = '']: readonly string[]): TextLine {
  const corrections = misreadArticles[language];
  if (corrections === undefined) return line;
  return line.map((word, index) => {
    const isBeforeWord = /^\p{Ll}/u.test(line[index + 1]?.text ?? '');
    const text = isBeforeWord ? corrections[word.text] : undefined;
    return text === undefined ? word : { ...word, text };
  });
}

/** Corrects Greek words, in which Tesseract's data has the micro sign (U+00B5) for the letter mu (U+03BC). */
export function correctMicroSigns(line: TextLine): TextLine {
  return line.map((word) => {
    const isGreek = /\p{Script=Greek}/u.test(word.text);
    return isGreek ? { ...word, text: word.text.replaceAll('\u00b5', '\u03bc') } : word;
  });
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

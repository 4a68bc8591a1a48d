import { createRequire } from 'node:module';
import { errorMessage } from '../../error-message.js';
import type { LanguageData } from '../../language-data.js';
import { type Method, neuralEngineMode, sauvolaFactor } from '../../method.js';
import type { Raster } from '../image/raster.js';

/** Each takes 10 to 30 MB. Loading one takes 50 ms. */
const maxLoadedLanguages = 4;

/** Tesseract could not be loaded. */
export class LoadError extends Error {}

/** Tesseract as WebAssembly. Loads the data of languages at the first use. */
export class WasmTesseract {
  /** By languages, the most recently used last. */
  private readonly loaded = new Map<string, TesseractApi>();

  private constructor(
    private readonly core: TesseractCore,
    private readonly data: LanguageData,
  ) {}

  /** @throws LoadError */
  static async load(data: LanguageData): Promise<WasmTesseract> {
    const load = createRequire(import.meta.url)('tesseract.js-core/tesseract-core-simd-lstm') as LoadCore;
    const ignore = () => undefined;
    try {
      return new WasmTesseract(await load({ print: ignore, printErr: ignore }), data);
    } catch (cause) {
      throw toLoadError(cause);
    }
  }

  /**
   * Returns Tesseract's result table.
   *
   * @throws LoadError if the data of a language is missing or damaged
   */
  readTable(
    { pixels, width, height, dpi }: Raster,
    languages: readonly string[],
    { threshold, segmentation }: Method,
  ): string {
    const api = this.apiFor(languages);
    api.SetVariable('thresholding_method', threshold);
    api.SetVariable('tessedit_pageseg_mode', segmentation);
    api.SetVariable('user_defined_dpi', String(dpi));
    // PGM, the simplest format that Tesseract reads. It needs no compression.
    this.core.FS.writeFile('/input', Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), pixels]));
    if (api.SetImageFile(1, 0) !== 0) throw new Error('Tesseract cannot read the image.');
    api.Recognize(null);
    const table = api.GetTSVText();
    api.Clear();
    return table;
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

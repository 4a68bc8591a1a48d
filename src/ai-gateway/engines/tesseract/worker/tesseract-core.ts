import { createRequire } from 'node:module';

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

import { childCpuSeconds } from '../../bench/cpu-time.js';
import type { DocumentReader } from '../src/document-reader.js';
import { findNativeTesseract } from '../src/native/find-program.js';
import { compareText, type TextComparison } from '../test/documents/compare-text.js';
import { newReader } from '../test/new-reader.js';
import { type PageKind, pageKinds, type Sample } from './kinds.js';
import { NativeTesseract } from './native-tesseract.js';

/** Means of the pages of a kind. */
export interface Reading extends TextComparison {
  readonly seconds: number;
  readonly cpuSeconds: number | undefined;
}

export interface KindResult {
  readonly kind: PageKind;
  readonly pages: number;
  /** Read by `engine: tesseract`. */
  readonly keycard: Reading;
  /** Read by `engine: tesseract-native`. */
  readonly nativeEngine: Reading | undefined;
  /** Read by native Tesseract alone. */
  readonly native: Reading | undefined;
}

export interface QualityResults {
  readonly kinds: readonly KindResult[];
  /** Undefined if it is not installed. */
  readonly nativeVersion: string | undefined;
}

/** Reads all pages, one at a time. Keycard detects their language; native Tesseract gets it as an option. */
export async function measureQuality(): Promise<QualityResults> {
  const { program } = findNativeTesseract();
  const options = { languages: 'auto' } as const;
  const readers: Readers = {
    keycard: newReader(options),
    nativeEngine: program === undefined ? undefined : newReader({ ...options, nativeProgram: program }),
    native: await NativeTesseract.find(),
  };
  const { native } = readers;
  const kinds: KindResult[] = [];
  try {
    for (const kind of pageKinds) kinds.push(await measureKind(kind, readers));
  } finally {
    native?.close();
    await Promise.all([readers.keycard.close(), readers.nativeEngine?.close()]);
  }
  return { kinds, nativeVersion: native?.version };
}

/** Undefined if native Tesseract is not installed. */
interface Readers {
  readonly keycard: DocumentReader;
  readonly nativeEngine: DocumentReader | undefined;
  readonly native: NativeTesseract | undefined;
}

async function measureKind(kind: PageKind, { keycard, nativeEngine, native }: Readers): Promise<KindResult> {
  const samples = await kind.draw();
  const measure = async (reader: DocumentReader) => {
    // Starts the worker, which isn't part of the time of a page.
    await readWithKeycard(reader, samples[0]);
    return await readAll(samples, (sample) => readWithKeycard(reader, sample));
  };
  const result: KindResult = {
    kind,
    pages: samples.length,
    keycard: await measure(keycard),
    nativeEngine: nativeEngine && (await measure(nativeEngine)),
    native: native && (await readAll(samples, ({ image }) => native.read(image, kind.language))),
  };
  console.log(`  ${kind.name}: ${(result.keycard.recall * 100).toFixed(1)} %`);
  return result;
}

async function readAll(samples: readonly Sample[], read: (sample: Sample) => Promise<string>): Promise<Reading> {
  const comparisons: TextComparison[] = [];
  const [start, cpuStart] = [performance.now(), childCpuSeconds()];
  for (const sample of samples) comparisons.push(compareText(sample.text, await read(sample)));
  const [end, cpuEnd] = [performance.now(), childCpuSeconds()];
  const mean = (valueOf: (comparison: TextComparison) => number) =>
    comparisons.reduce((sum, comparison) => sum + valueOf(comparison), 0) / comparisons.length;
  return {
    recall: mean(({ recall }) => recall),
    precision: mean(({ precision }) => precision),
    characterErrorRate: mean(({ characterErrorRate }) => characterErrorRate),
    order: mean(({ order }) => order),
    seconds: (end - start) / 1_000 / samples.length,
    cpuSeconds: cpuStart === undefined || cpuEnd === undefined ? undefined : (cpuEnd - cpuStart) / samples.length,
  };
}

async function readWithKeycard(reader: DocumentReader, sample: Sample | undefined): Promise<string> {
  if (sample === undefined) throw new Error('A kind of pages has no samples.');
  const pages = await reader.read(sample.document, { pages: undefined }, new AbortController().signal);
  return pages.map((page) => ('markdown' in page ? page.markdown : '')).join('\n\n');
}

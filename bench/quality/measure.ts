import { languageFile } from '../../src/engines/ocr/tesseract/language-data.js';
import { TesseractEngine } from '../../src/engines/ocr/tesseract/tesseract.engine.js';
import { compareText, type TextComparison } from '../../test/documents/compare-text.js';
import { childCpuSeconds } from './cpu-time.js';
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
  readonly keycard: Reading;
  readonly native: Reading | undefined;
}

export interface QualityResults {
  readonly kinds: readonly KindResult[];
  /** Kinds whose language data is not installed. */
  readonly skipped: readonly PageKind[];
  /** Undefined if it is not installed. */
  readonly nativeVersion: string | undefined;
}

/** Reads all pages, one at a time. */
export async function measureQuality(): Promise<QualityResults> {
  const native = await NativeTesseract.find();
  const kinds: KindResult[] = [];
  const [installed, skipped] = [pageKinds.filter(isInstalled), pageKinds.filter((kind) => !isInstalled(kind))];
  try {
    for (const [language, group] of groupByLanguage(installed)) {
      const engine = new TesseractEngine({ languages: [language], workers: 1 });
      try {
        for (const kind of group) kinds.push(await measureKind(kind, engine, native));
      } finally {
        await engine.close();
      }
    }
  } finally {
    native?.close();
  }
  return { kinds, skipped, nativeVersion: native?.version };
}

function isInstalled({ language }: PageKind): boolean {
  try {
    languageFile(language);
    return true;
  } catch {
    return false;
  }
}

function groupByLanguage(kinds: readonly PageKind[]): Map<string, PageKind[]> {
  const groups = new Map<string, PageKind[]>();
  for (const kind of kinds) groups.set(kind.language, [...(groups.get(kind.language) ?? []), kind]);
  return groups;
}

async function measureKind(
  kind: PageKind,
  engine: TesseractEngine,
  native: NativeTesseract | undefined,
): Promise<KindResult> {
  const samples = await kind.draw();
  // Starts the worker, which isn't part of the time of a page.
  await readWithKeycard(engine, samples[0]);
  const keycard = await readAll(samples, (sample) => readWithKeycard(engine, sample));
  const nativeReading = native && (await readAll(samples, ({ image }) => native.read(image, kind.language)));
  console.log(`  ${kind.name}: ${(keycard.recall * 100).toFixed(1)} %`);
  return { kind, pages: samples.length, keycard, native: nativeReading };
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

async function readWithKeycard(engine: TesseractEngine, sample: Sample | undefined): Promise<string> {
  if (sample === undefined) throw new Error('A kind of pages has no samples.');
  const pages = await engine.read(sample.document, { pages: undefined }, new AbortController().signal);
  return pages.map((page) => ('markdown' in page ? page.markdown : '')).join('\n\n');
}

import { cpus, loadavg } from 'node:os';
import type { KindResult, QualityResults, Reading } from './measure.js';

const headings = [
  'Pages',
  'Count',
  'Recall',
  'Precision',
  'Character errors',
  'Order',
  'Seconds',
  'CPU seconds',
  'Target',
  'Verdict',
];
const engineHeadings = ['Recall', 'Character errors', 'CPU seconds'].map((name) => `tesseract-native: ${name}`);
const nativeHeadings = ['Recall', 'Precision', 'Character errors', 'CPU seconds'].map((name) => `Native: ${name}`);

/** Formats `quality.md`. */
export function formatQualityReport(results: QualityResults): string {
  const processors = cpus();
  const { nativeVersion } = results;
  return [
    '# OCR quality',
    '',
    'Written by `npm run bench --workspace=document-reader`. Each kind of page is drawn in several fonts and with different',
    'texts, identical in each run. All figures are means per page.',
    '',
    `- Date: ${new Date().toISOString().slice(0, 10)}`,
    `- Node ${process.version}`,
    `- ${processors.length} × ${processors[0]?.model.trim()}`,
    // Seconds depend on it, and CPU seconds a little.
    `- Load average over the last 15 minutes, benchmark included: ${loadavg()[2]?.toFixed(1)}`,
    `- Languages: detected by Keycard (\`OCR_LANGUAGES=auto\`), given to native Tesseract`,
    `- Fonts: Helvetica, Times-Roman and Courier, from PDFium's own data, and Liberation Sans for Greek. The machine's own fonts aren't used.`,
    `- ${describeNativeEngine(results.kinds)}`,
    `- Native Tesseract: ${nativeVersion ?? 'not installed'}${nativeVersion === undefined ? '' : ', with the same language data, one thread and a new process per page'}`,
    '',
    formatQualityTable(results),
    '',
    '- **Recall**: words of the page that were read, in percent; **precision**: words read that are on the page.',
    '- **Character errors**: insertions, deletions and replacements that turn the text read into the text of the page, in',
    '  percent of its characters. Formatting and the kind of quotation marks are ignored.',
    '- **Order**: words in the right order, in percent of the words found that occur once.',
    '- **Seconds** and **CPU seconds**: decoding, preparation, recognition and layout in one worker that has already started.',
    '- **tesseract-native**: Keycard with `engine: tesseract-native`; **Native**: native Tesseract alone, which gets the page as',
    '  it is, and PDFs as images rendered at 200 dpi.',
    '- **Target**: minimum recall.',
    '',
  ].join('\n');
}

/** Compares the time and the words of both engines. */
function describeNativeEngine(kinds: readonly KindResult[]): string {
  const pairs = kinds.flatMap(({ keycard, nativeEngine, pages }) =>
    nativeEngine ? { keycard, nativeEngine, pages } : [],
  );
  if (pairs.length === 0) return '`engine: tesseract-native`: not measured';
  const total = (valueOf: (pair: (typeof pairs)[number]) => number | undefined) =>
    pairs.reduce((sum, pair) => sum + (valueOf(pair) ?? 0) * pair.pages, 0);
  const pages = total(() => 1);
  const ratio = total(({ keycard }) => keycard.cpuSeconds) / total(({ nativeEngine }) => nativeEngine.cpuSeconds);
  const [recall, nativeRecall] = [total(({ keycard }) => keycard.recall), total((pair) => pair.nativeEngine.recall)];
  return (
    `\`engine: tesseract-native\`: ${ratio.toFixed(2)} times as many pages per CPU second, ` +
    `recall of all pages ${((nativeRecall / pages) * 100).toFixed(2)} instead of ${((recall / pages) * 100).toFixed(2)}`
  );
}

/** Formats the results as a Markdown table with aligned columns. */
export function formatQualityTable({ kinds, nativeVersion }: QualityResults): string {
  const hasNative = nativeVersion !== undefined;
  const header = hasNative ? [...headings, ...engineHeadings, ...nativeHeadings] : headings;
  const formatBoth = ({ nativeEngine, native }: KindResult) => [...formatEngine(nativeEngine), ...formatNative(native)];
  const lines = kinds.map((result) => [...formatKind(result), ...(hasNative ? formatBoth(result) : [])]);
  const widths = header.map((heading, column) =>
    Math.max(...[header, ...lines].map((cells) => cells[column]?.length ?? heading.length)),
  );
  const format = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [format(header), format(widths.map((width) => '-'.repeat(width))), ...lines.map(format)].join('\n');
}

function formatKind({ kind, pages, keycard }: KindResult): string[] {
  return [
    kind.name,
    String(pages),
    percent(keycard.recall),
    percent(keycard.precision),
    percent(keycard.characterErrorRate),
    percent(keycard.order),
    keycard.seconds.toFixed(2),
    keycard.cpuSeconds?.toFixed(2) ?? '',
    `≥ ${kind.minRecall * 100}`,
    keycard.recall >= kind.minRecall ? 'met' : '**missed**',
  ];
}

function formatEngine(reading: Reading | undefined): string[] {
  if (reading === undefined) return engineHeadings.map(() => '');
  return [percent(reading.recall), percent(reading.characterErrorRate), reading.cpuSeconds?.toFixed(2) ?? ''];
}

function formatNative(reading: Reading | undefined): string[] {
  if (reading === undefined) return nativeHeadings.map(() => '');
  const { recall, precision, characterErrorRate, cpuSeconds } = reading;
  return [percent(recall), percent(precision), percent(characterErrorRate), cpuSeconds?.toFixed(2) ?? ''];
}

function percent(share: number): string {
  return (share * 100).toFixed(1);
}

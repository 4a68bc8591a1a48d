import type { ReadPage, WordConfidence } from '../ocr-engine.js';

/*
 * What the service and a worker process send each other. The service sends one request and waits for its answer. A
 * worker reads hostile documents, so the service trusts nothing in an answer: neither its length nor its content.
 */
import type { DocumentProblem } from '../ocr-engine.js';
import type { Frame, FrameLimits } from './frames.js';
import { maxDocumentBytes, maxPageMarkdownLength } from './limits.js';

/** File descriptors in the worker. Standard output stays unused, since libraries print to it. */
export const requestDescriptor = 0;
export const answerDescriptor = 3;

/** The body of an `open` is the document. */
export type WorkerRequest =
  | { readonly kind: 'open'; readonly documentId: number }
  | { readonly kind: 'read'; readonly documentId: number; readonly pageIndex: number }
  | { readonly kind: 'close'; readonly documentId: number };

export const requestLimits: FrameLimits = { headBytes: 1_000, bodyBytes: maxDocumentBytes };

/** Words of a page, packed: where each stands in the Markdown, and how sure it is. */
export interface PackedWords {
  readonly starts: Uint32Array;
  readonly lengths: Uint32Array;
  readonly confidences: Float64Array;
}

export interface ReadAnswer {
  readonly kind: 'page';
  readonly markdown: string;
  readonly dimensions: { readonly dpi: number; readonly width: number; readonly height: number };
  readonly words: PackedWords;
}

export type WorkerAnswer =
  /** Sent once, when the worker has started. */
  | { readonly kind: 'started' }
  | { readonly kind: 'opened'; readonly pageCount: number }
  | { readonly kind: 'closed'; readonly memoryBytes: number }
  | ReadAnswer
  /** The document cannot be read. */
  | { readonly kind: 'refused'; readonly problem: DocumentProblem; readonly message: string }
  /** This page cannot be read; `failure` completes the sentence "Page 3 …". */
  | { readonly kind: 'page-failed'; readonly failure: string }
  /** The memory of a library has run out, and will not come back. */
  | { readonly kind: 'out-of-memory' }
  /** The worker itself cannot work, for a reason that is none of the document's. */
  | { readonly kind: 'broken'; readonly reason: string };

const mostWords = maxPageMarkdownLength / 2;
const wordBytes = 2 * Uint32Array.BYTES_PER_ELEMENT + Float64Array.BYTES_PER_ELEMENT;
const mostBytesPerUnit = 3;

export const answerLimits: FrameLimits = {
  headBytes: 10_000,
  bodyBytes: mostBytesPerUnit * maxPageMarkdownLength + wordBytes * mostWords,
};

/** An answer as a frame: a page's words and Markdown are its body. */
export function encodeAnswer(answer: WorkerAnswer): { head: object; body?: Buffer } {
  if (answer.kind !== 'page') return { head: answer };
  const { markdown, dimensions, words } = answer;
  const { starts, lengths, confidences } = words;
  const parts = [confidences, starts, lengths].map(({ buffer, byteOffset, byteLength }) =>
    Buffer.from(buffer, byteOffset, byteLength),
  );
  const body = Buffer.concat([...parts, Buffer.from(markdown)]);
  return { head: { kind: 'page', dimensions, wordCount: starts.length }, body };
}

/** @throws TypeError for anything that {@link encodeAnswer} does not write */
export function decodeAnswer({ head, body }: Frame): WorkerAnswer {
  const fields = new Fields(head);
  const kind = fields.text('kind');
  switch (kind) {
    case 'started':
    case 'out-of-memory':
      return { kind };
    case 'opened':
      return { kind, pageCount: fields.count('pageCount') };
    case 'closed':
      return { kind, memoryBytes: fields.count('memoryBytes') };
    case 'refused':
      return { kind, problem: problemOf(fields.text('problem')), message: fields.text('message') };
    case 'page-failed':
      return { kind, failure: fields.text('failure') };
    case 'broken':
      return { kind, reason: fields.text('reason') };
    case 'page':
      return decodePage(fields, body);
    default:
      throw new TypeError('An answer of an unknown kind.');
  }
}

function decodePage(fields: Fields, body: Buffer): ReadAnswer {
  const wordCount = fields.count('wordCount');
  const dimensions = new Fields(fields.get('dimensions'));
  if (wordCount * wordBytes > body.length) throw new TypeError('A page lacks its words.');
  // A copy, since the numbers must stand at multiples of their size.
  const numbers = new Uint8Array(body.subarray(0, wordCount * wordBytes)).buffer;
  const confidences = new Float64Array(numbers, 0, wordCount);
  const starts = new Uint32Array(numbers, confidences.byteLength, wordCount);
  const lengths = new Uint32Array(numbers, confidences.byteLength + starts.byteLength, wordCount);
  const markdown = body.toString('utf8', wordCount * wordBytes);
  // Overlapping words would make the response larger than what is counted for it.
  let end = 0;
  const areInOrder = starts.every((start, index) => {
    const isAfterPrevious = start >= end;
    end = start + (lengths[index] ?? 0);
    return isAfterPrevious;
  });
  const areShares = confidences.every((confidence) => confidence >= 0 && confidence <= 1);
  if (!areInOrder || end > markdown.length) throw new TypeError('The words of a page overlap or exceed it.');
  if (!areShares) throw new TypeError('The confidence of a word must be between 0 and 1.');
  const size = { dpi: dimensions.count('dpi'), width: dimensions.count('width'), height: dimensions.count('height') };
  return { kind: 'page', markdown, dimensions: size, words: { starts, lengths, confidences } };
}

/** Fields of a head, whose types are checked. */
class Fields {
  private readonly values: ReadonlyMap<string, unknown>;

  constructor(head: unknown) {
    this.values = new Map(Object.entries(typeof head === 'object' && head !== null ? head : {}));
  }

  get(name: string): unknown {
    return this.values.get(name);
  }

  text(name: string): string {
    const value = this.get(name);
    if (typeof value !== 'string') throw new TypeError(`${name} must be text.`);
    return value;
  }

  count(name: string): number {
    const value = this.get(name);
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
      throw new TypeError(`${name} must be a whole number.`);
    }
    return value;
  }
}

/** Those that a worker finds. */
const problems: readonly DocumentProblem[] = [
  'unsupported-type',
  'corrupt',
  'encrypted',
  'empty',
  'too-many-pages',
  'too-many-pixels',
];

function problemOf(text: string): DocumentProblem {
  const problem = problems.find((known) => known === text);
  if (problem === undefined) throw new TypeError('A document is refused for an unknown reason.');
  return problem;
}

/** A page as it came from a worker. A thousand pages wait for the last one, so their words stay packed until asked for. */
export class PackedPage implements ReadPage {
  readonly markdown: string;
  readonly dimensions: ReadPage['dimensions'];
  private readonly packed: PackedWords;

  constructor(
    readonly index: number,
    { markdown, dimensions, words }: ReadAnswer,
  ) {
    this.markdown = markdown;
    this.dimensions = dimensions;
    this.packed = words;
  }

  get words(): WordConfidence[] {
    const { starts, lengths, confidences } = this.packed;
    return Array.from(starts, (startIndex, index) => ({
      text: this.markdown.slice(startIndex, startIndex + (lengths[index] ?? 0)),
      confidence: confidences[index] ?? 0,
      startIndex,
    }));
  }
}

/** The reverse of {@link PackedPage.words}. */
export function packWords(words: readonly WordConfidence[]): PackedWords {
  return {
    starts: Uint32Array.from(words, ({ startIndex }) => startIndex),
    lengths: Uint32Array.from(words, ({ text }) => text.length),
    confidences: Float64Array.from(words, ({ confidence }) => confidence),
  };
}

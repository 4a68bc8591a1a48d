/*
 * Messages between the parent process and a worker process. The parent sends a request and waits for its response. Workers
 * read hostile documents, so the parent trusts neither the length nor the content of a response.
 */
import type { DocumentProblem } from './errors.js';
import type { LanguageCandidates } from './language-data.js';
import { type DocumentLimits, lowConfidence, maxPageImageBytes, maxPageMarkdownLength } from './limits.js';
import { type Method, segmentations, thresholds } from './method.js';
import type { ImageOptions, PageImage, PageWarning, ReadPage, WordConfidence } from './read-page.js';
import { ResponseFields } from './response-fields.js';
import type { Frame, FrameLimits } from './worker-pipe.js';
import type { Raster } from './worker/image/raster.js';

/** File descriptors in the worker. Standard output isn't used, because libraries print to it. */
export const requestDescriptor = 0;
export const responseDescriptor = 3;

/** The only argument of a worker, as JSON. */
export interface WorkerSettings {
  readonly memoryBytes: number;
  /** The Tesseract that recognizes images. */
  readonly program: 'wasm' | 'native';
  readonly candidates: LanguageCandidates;
  /** Has language data; absolute. */
  readonly dataFolder?: string | undefined;
  readonly limits: DocumentLimits;
}

/** The body of an `open` request is the document. `languages` replace the worker's languages. */
export type WorkerRequest =
  | { readonly kind: 'open'; readonly documentId: number; readonly languages?: readonly string[] }
  | {
      readonly kind: 'read';
      readonly documentId: number;
      readonly pageIndex: number;
      readonly images?: ImageOptions;
    }
  | { readonly kind: 'close'; readonly documentId: number };

/** The result table for a `recognize` message; the body of the frame. */
export interface RecognizedMessage {
  readonly kind: 'recognized';
}

/** The parent has checked the size of the document. */
export const requestLimits: FrameLimits = { headBytes: 1_000, bodyBytes: Infinity };

/** The words of a page: positions and lengths in its Markdown, and confidences. */
export interface PackedWords {
  readonly starts: Uint32Array;
  readonly lengths: Uint32Array;
  readonly confidences: Float64Array;
}

export interface PageResponse {
  readonly kind: 'page';
  readonly markdown: string;
  readonly headerEnd: number;
  readonly footerStart: number;
  readonly dimensions: { readonly dpi: number; readonly width: number; readonly height: number };
  readonly words: PackedWords;
  readonly images: readonly PageImage[];
  /** Whether there are no words because nothing is on the page. */
  readonly isBlank: boolean;
  readonly languages: readonly string[];
}

/** Asks the parent to run the native program, while a page is being read. */
export interface RecognizeMessage {
  readonly kind: 'recognize';
  readonly image: Raster;
  readonly languages: readonly string[];
  readonly method: Method;
}

export type WorkerResponse =
  /** Sent once, without a request. */
  | { readonly kind: 'started' }
  | { readonly kind: 'opened'; readonly pageCount: number }
  | { readonly kind: 'closed'; readonly memoryBytes: number }
  | PageResponse
  | RecognizeMessage
  /** The document can't be read. */
  | { readonly kind: 'document-error'; readonly problem: DocumentProblem; readonly message: string }
  /** The page can't be read. `failure` completes the sentence "Page 3 …". */
  | { readonly kind: 'page-failed'; readonly failure: string }
  /** A library has run out of memory, which it never frees. */
  | { readonly kind: 'out-of-memory' }
  /** The worker can't work, independently of the document. */
  | { readonly kind: 'worker-failed'; readonly reason: string };

const maxWords = maxPageMarkdownLength / 2;
const bytesPerWord = 2 * Uint32Array.BYTES_PER_ELEMENT + Float64Array.BYTES_PER_ELEMENT;
const maxUtf8BytesPerUnit = 3;

export const responseLimits: FrameLimits = {
  headBytes: 10_000,
  bodyBytes: maxUtf8BytesPerUnit * maxPageMarkdownLength + bytesPerWord * maxWords + maxPageImageBytes,
};

/** Problems that workers detect. */
const workerProblems: readonly DocumentProblem[] = [
  'unsupported-type',
  'corrupt',
  'encrypted',
  'empty',
  'too-many-pages',
  'too-many-pixels',
];

/** Encodes a response as a frame. The words, images and Markdown of a page become the body, as do the pixels of an image. */
export function encodeResponse(response: WorkerResponse): { head: object; body?: Buffer } {
  if (response.kind === 'recognize') {
    const { image, ...head } = response;
    const { pixels, ...size } = image;
    return { head: { ...head, ...size }, body: pixels };
  }
  if (response.kind !== 'page') return { head: response };
  const { markdown, dimensions, words, images, ...rest } = response;
  const { starts, lengths, confidences } = words;
  const parts = [confidences, starts, lengths].map(({ buffer, byteOffset, byteLength }) =>
    Buffer.from(buffer, byteOffset, byteLength),
  );
  const jpegs = images.flatMap(({ jpeg }) => jpeg ?? []);
  const body = Buffer.concat([...parts, ...jpegs, Buffer.from(markdown)]);
  const packed = images.map(({ position, box, jpeg }) => ({ position, ...box, bytes: jpeg?.length ?? 0 }));
  return { head: { ...rest, dimensions, images: packed, wordCount: starts.length }, body };
}

/** @throws TypeError for anything that {@link encodeResponse} doesn't produce within the limits */
export function decodeResponse({ head, body }: Frame, limits: DocumentLimits): WorkerResponse {
  const fields = new ResponseFields(head);
  const kind = fields.text('kind');
  switch (kind) {
    case 'started':
    case 'out-of-memory':
      return { kind };
    case 'opened':
      return { kind, pageCount: fields.count('pageCount') };
    case 'closed':
      return { kind, memoryBytes: fields.count('memoryBytes') };
    case 'document-error':
      return { kind, problem: fields.oneOf('problem', workerProblems), message: fields.text('message') };
    case 'page-failed':
      return { kind, failure: fields.text('failure') };
    case 'worker-failed':
      return { kind, reason: fields.text('reason') };
    case 'page':
      return decodePage(fields, body, limits);
    case 'recognize':
      return decodeRecognize(fields, body, limits);
    default:
      throw new TypeError('The kind of a response is unknown.');
  }
}

function decodePage(fields: ResponseFields, body: Buffer, limits: DocumentLimits): PageResponse {
  const wordCount = fields.count('wordCount');
  const dimensions = new ResponseFields(fields.get('dimensions'));
  if (wordCount * bytesPerWord > body.length) throw new TypeError('The words of a page are missing.');
  // A copy, because typed arrays must be aligned.
  const numbers = new Uint8Array(body.subarray(0, wordCount * bytesPerWord)).buffer;
  const confidences = new Float64Array(numbers, 0, wordCount);
  const starts = new Uint32Array(numbers, confidences.byteLength, wordCount);
  const lengths = new Uint32Array(numbers, confidences.byteLength + starts.byteLength, wordCount);
  const size = { dpi: dimensions.count('dpi'), width: dimensions.count('width'), height: dimensions.count('height') };
  const packedImages = packedImagesIn(fields, limits);
  const { images, end: imagesEnd } = decodeImages(packedImages, body, wordCount * bytesPerWord);
  const markdown = body.toString('utf8', imagesEnd);
  // Overlapping words could make the result larger than the memory that the caller has reserved for it.
  let end = 0;
  const areInOrder = starts.every((start, index) => {
    const isAfterPrevious = start >= end;
    end = start + (lengths[index] ?? 0);
    return isAfterPrevious;
  });
  const areConfidencesValid = confidences.every((confidence) => confidence >= 0 && confidence <= 1);
  if (!areInOrder || end > markdown.length) throw new TypeError('The words of a page overlap or exceed it.');
  if (!areConfidencesValid) throw new TypeError('The confidence of a word must be between 0 and 1.');
  const [headerEnd, footerStart] = [fields.count('headerEnd'), fields.count('footerStart')];
  if (headerEnd > footerStart || footerStart > markdown.length) throw new TypeError('The margins of a page overlap.');
  // They're inserted there in this order.
  const positions = [headerEnd, ...images.map(({ position }) => position), footerStart];
  if (positions.some((position, index) => position < (positions[index - 1] ?? 0))) {
    throw new TypeError('The images of a page are in its margins or out of order.');
  }
  const isBlank = fields.flag('isBlank');
  const languages = fields.languages('languages', limits.maxLanguages);
  const words = { starts, lengths, confidences };
  return { kind: 'page', markdown, headerEnd, footerStart, dimensions: size, words, images, isBlank, languages };
}

function decodeRecognize(fields: ResponseFields, pixels: Buffer, limits: DocumentLimits): RecognizeMessage {
  const [width, height, dpi] = [fields.count('width'), fields.count('height'), fields.count('dpi')];
  if (pixels.length === 0 || width * height !== pixels.length) throw new TypeError('The size of an image is wrong.');
  const method = new ResponseFields(fields.get('method'));
  return {
    kind: 'recognize',
    image: { pixels, width, height, dpi },
    languages: fields.languages('languages', limits.maxLanguages),
    method: {
      threshold: method.oneOf('threshold', thresholds),
      segmentation: method.oneOf('segmentation', segmentations),
    },
  };
}

function packedImagesIn(fields: ResponseFields, { maxPageImages }: DocumentLimits): unknown[] {
  const images = fields.get('images');
  const items: unknown[] = Array.isArray(images) ? images : [undefined];
  if (items.length > maxPageImages) throw new TypeError('A page has too many images.');
  return items;
}

/** @param start of the images in the body */
function decodeImages(items: unknown[], body: Buffer, start: number): { images: PageImage[]; end: number } {
  let end = start;
  const images = items.map((item) => {
    const fields = new ResponseFields(item);
    const [left, top] = [fields.count('left'), fields.count('top')];
    const box = { left, top, right: fields.count('right'), bottom: fields.count('bottom') };
    const bytes = fields.count('bytes');
    const jpeg = bytes === 0 ? undefined : body.subarray(end, end + bytes);
    end += bytes;
    return { position: fields.count('position'), box, jpeg };
  });
  if (end > body.length) throw new TypeError('The images of a page are missing.');
  return { images, end };
}

/** A page whose words are unpacked on demand, because a thousand pages may wait in memory for the last one. */
export class PackedPage implements ReadPage {
  readonly markdown: string;
  readonly headerEnd: number;
  readonly footerStart: number;
  readonly dimensions: ReadPage['dimensions'];
  readonly languages: readonly string[];
  readonly images: readonly PageImage[];
  private readonly isBlank: boolean;
  private readonly packed: PackedWords;

  constructor(
    readonly index: number,
    { markdown, headerEnd, footerStart, dimensions, words, images, isBlank, languages }: PageResponse,
  ) {
    this.markdown = markdown;
    this.headerEnd = headerEnd;
    this.footerStart = footerStart;
    this.dimensions = dimensions;
    this.isBlank = isBlank;
    this.languages = languages;
    this.images = images;
    this.packed = words;
  }

  get confidence(): number | null {
    const { lengths, confidences } = this.packed;
    const characters = lengths.reduce((sum, length) => sum + length, 0);
    if (characters === 0) return null;
    return confidences.reduce((sum, confidence, index) => sum + confidence * (lengths[index] ?? 0), 0) / characters;
  }

  get warning(): PageWarning | null {
    const { confidence } = this;
    if (confidence === null) return this.isBlank ? null : 'no_text_found';
    return confidence < lowConfidence ? 'low_confidence' : null;
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

/** The inverse of {@link PackedPage.words}. */
export function packWords(words: readonly WordConfidence[]): PackedWords {
  return {
    starts: Uint32Array.from(words, ({ startIndex }) => startIndex),
    lengths: Uint32Array.from(words, ({ text }) => text.length),
    confidences: Float64Array.from(words, ({ confidence }) => confidence),
  };
}

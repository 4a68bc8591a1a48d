import { maxDocumentPages, maxOcrLanguages } from '../../../common/rules/document-limits.js';
import { AppError, invalidField } from '../../../common/errors/app-error.js';
import type { ImageOptions } from '../../../engines/ocr/ocr-engine.js';
import { parseModelName } from '../../body/model-request.js';

export const confidenceGranularities = ['page', 'word'] as const;

/** The options of a request, in JSON or a form. */
export interface OcrOptions {
  model: string;
  /** Zero-based, ascending, without duplicates; undefined for all. */
  pages: number[] | undefined;
  confidenceGranularity: (typeof confidenceGranularities)[number] | undefined;
  /** Codes that the engine may not know; undefined for the model's own languages. */
  languages: string[] | undefined;
  /** Whether to separate running headers and footers from the Markdown. */
  extractHeader: boolean;
  extractFooter: boolean;
  /** The limit is for the document. */
  images: ImageOptions;
}

/** Parameters of Mistral for features that no engine has. Absent, null and false are accepted. */
export const unsupportedParameters = [
  'bbox_annotation_format',
  'document_annotation_format',
  'document_annotation_prompt',
  'table_format',
] as const;

const knownFields: ReadonlySet<string> = new Set([
  'model',
  'document',
  'pages',
  'confidence_scores_granularity',
  'languages',
  'id',
  'include_blocks',
  'extract_header',
  'extract_footer',
  'include_image_base64',
  'image_limit',
  'image_min_size',
  ...unsupportedParameters,
]);

/**
 * Checks the fields of a JSON body by hand, as for embeddings.
 *
 * @returns the options, and the URL of the document, which is not checked yet
 * @throws AppError 400 that names the field
 */
export function parseOcrRequest(body: unknown): OcrOptions & { documentUrl: string } {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new AppError('validation-failed', 'The body must be a JSON object.');
  }
  const fields: Record<string, unknown> = { ...body };
  rejectUnknownFields(fields);
  return { ...parseOptions(fields), documentUrl: parseDocumentField(fields['document']) };
}

/**
 * Reads the options from the fields of a JSON body or a form.
 *
 * @throws AppError 400 that names the field
 */
export function parseOptions(fields: Record<string, unknown>): OcrOptions {
  const unsupported = unsupportedParameters.find((name) => (fields[name] ?? false) !== false);
  if (unsupported !== undefined) {
    throw invalidField(unsupported, `${unsupported} is not supported by this model. Omit it or send null.`);
  }
  // Mistral's client always sends true, so true is accepted; pages have no blocks.
  parseFlag(fields, 'include_blocks');
  const id = fields['id'] ?? '';
  if (typeof id !== 'string') throw invalidField('id', 'id must be a string.');
  return {
    model: parseModelName(fields['model']),
    pages: parsePages(fields['pages']),
    confidenceGranularity: parseGranularity(fields['confidence_scores_granularity']),
    languages: parseLanguages(fields['languages']),
    extractHeader: parseFlag(fields, 'extract_header'),
    extractFooter: parseFlag(fields, 'extract_footer'),
    images: parseImageOptions(fields),
  };
}

function parseImageOptions(fields: Record<string, unknown>): ImageOptions {
  const limit = parseCount(fields, 'image_limit');
  const minPixels = parseCount(fields, 'image_min_size');
  return {
    areIncluded: parseFlag(fields, 'include_image_base64'),
    ...(limit !== undefined && { limit }),
    ...(minPixels !== undefined && { minPixels }),
  };
}

function parseCount(fields: Record<string, unknown>, name: string): number | undefined {
  const value = fields[name] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw invalidField(name, `${name} must be an integer of at least 0.`);
}

function rejectUnknownFields(fields: Record<string, unknown>): void {
  const unknownField = Object.keys(fields)
    .find((field) => !knownFields.has(field))
    ?.slice(0, 100);
  if (unknownField !== undefined) throw invalidField(unknownField, `The field '${unknownField}' is unknown.`);
}

function parseFlag(fields: Record<string, unknown>, name: string): boolean {
  const value = fields[name] ?? false;
  if (typeof value !== 'boolean') throw invalidField(name, `${name} must be true or false.`);
  return value;
}

function parseGranularity(value: unknown): OcrOptions['confidenceGranularity'] {
  if (value === undefined || value === null) return undefined;
  const known = confidenceGranularities.find((candidate) => candidate === value);
  if (known !== undefined) return known;
  throw invalidField(
    'confidence_scores_granularity',
    `confidence_scores_granularity must be one of ${confidenceGranularities.join(', ')}, or null.`,
  );
}

/** Reads `languages`: an array of codes, or a string such as `deu,eng`. */
function parseLanguages(value: unknown): string[] | undefined {
  if (value === undefined || value === null) return undefined;
  const items: unknown[] = typeof value === 'string' ? value.split(',').map((item) => item.trim()) : toArray(value);
  const languages = items.filter((item) => typeof item === 'string' && /^\w{1,29}$/.test(item)) as string[];
  const isValid = languages.length === items.length && items.length >= 1 && items.length <= maxOcrLanguages;
  if (isValid) return [...new Set(languages)];
  throw invalidField(
    'languages',
    `languages must be 1 to ${maxOcrLanguages} codes: an array, or a string such as deu,eng.`,
  );
}

const toArray = (value: unknown): unknown[] => (Array.isArray(value) ? value : [undefined]);

const pageOrRange = /^\d{1,4}(-\d{1,4})?$/;

/**
 * Reads `pages`: an array of page numbers, or a string such as `0,2-4`.
 *
 * @returns zero-based numbers in ascending order, without duplicates; undefined for all pages
 * @throws AppError 400
 */
export function parsePages(value: unknown): number[] | undefined {
  if (value === undefined || value === null) return undefined;
  const numbers = typeof value === 'string' ? parseRanges(value) : checkArray(value);
  if (numbers.length === 0) throw invalidPages('pages must contain at least one page.');
  const outside = numbers.find((page) => page < 0 || page >= maxDocumentPages);
  if (outside !== undefined) {
    throw invalidPages(`pages must be between 0 and ${maxDocumentPages - 1}; ${outside} is not.`);
  }
  return [...new Set(numbers)].sort((one, other) => one - other);
}

function checkArray(value: unknown): number[] {
  const items = toArray(value);
  if (items.length > maxDocumentPages) throw invalidPages(`pages must have at most ${maxDocumentPages} items.`);
  return items.map((item) => {
    if (typeof item === 'number' && Number.isSafeInteger(item)) return item;
    throw invalidPages('pages must be an array of integers, or a string such as 0,2-4.');
  });
}

function parseRanges(text: string): number[] {
  const ranges = text.split(',', maxDocumentPages + 1).map((range) => range.trim());
  if (ranges.length > maxDocumentPages) throw invalidPages(`pages must have at most ${maxDocumentPages} items.`);
  return [...new Set(ranges.flatMap(parseRange))];
}

function parseRange(range: string): number[] {
  if (!pageOrRange.test(range)) throw invalidPages('pages must be page numbers and ranges, such as 0,2-4.');
  const [first = 0, last = first] = range.split('-').map(Number);
  if (last < first) throw invalidPages(`pages must have ascending ranges; ${range} is not.`);
  // Rejected by the caller.
  if (last >= maxDocumentPages) return [last];
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

const invalidPages = (message: string) => invalidField('pages', message);

/** Fields of `document` by its type. */
const fieldsOfTypes = {
  document_url: ['type', 'document_url', 'document_name'],
  image_url: ['type', 'image_url'],
} as const;

type DocumentType = keyof typeof fieldsOfTypes;

/**
 * Reads `document`: `{ type: 'document_url', document_url }` or `{ type: 'image_url', image_url }`, where the type is
 * optional. The kind of document is detected from its content.
 *
 * @returns the URL, not checked yet
 * @throws AppError 400
 */
function parseDocumentField(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidDocument('document must be an object with document_url or image_url.');
  }
  const fields: Record<string, unknown> = { ...value };
  const type = typeOf(fields);
  const unknownField = Object.keys(fields).find((field) => !fieldsOfTypes[type].some((known) => known === field));
  if (unknownField !== undefined) {
    throw invalidDocument(`document must not have the field '${unknownField.slice(0, 100)}' with the type ${type}.`);
  }
  const name = fields['document_name'] ?? '';
  if (typeof name !== 'string') throw invalidDocument('document_name must be a string.');
  const url = type === 'image_url' ? parseImageUrl(fields['image_url']) : fields['document_url'];
  if (typeof url !== 'string' || url === '') throw invalidDocument(`${type} must be a URL.`);
  return url;
}

function typeOf(fields: Record<string, unknown>): DocumentType {
  if ('file_id' in fields || fields['type'] === 'file') {
    throw invalidDocument('Files are not stored. Send the document as a data: URL, or as the field file of a form.');
  }
  const type = fields['type'] ?? ('image_url' in fields ? 'image_url' : 'document_url');
  if (type === 'document_url' || type === 'image_url') return type;
  throw invalidDocument('The type of document must be document_url or image_url.');
}

function parseImageUrl(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { url, detail, ...others }: Record<string, unknown> = { ...value };
  if (Object.keys(others).length > 0) throw invalidDocument('image_url must have only the fields url and detail.');
  if (detail === undefined || detail === null || detail === 'auto' || detail === 'high') return url;
  throw invalidDocument('detail must be auto or high: images are always read at full resolution.');
}

/** A 400 about the document. */
export const invalidDocument = (message: string): AppError => invalidField('document', message);

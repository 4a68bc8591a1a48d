import { AppError, invalidField } from '../../common/errors/app-error.js';
import { parseDocumentField } from './document-field.js';

export const confidenceGranularities = ['page', 'word'] as const;

/** What to read and what to answer, whichever way the document comes. */
export interface OcrOptions {
  model: string;
  /** Zero-based, ascending, without repeats; undefined for all. */
  pages: number[] | undefined;
  confidenceGranularity: (typeof confidenceGranularities)[number] | undefined;
}

/** Parameters of Mistral that ask for what an engine here cannot give. Left out, null or false, they ask for nothing. */
export const unsupportedParameters = [
  'include_image_base64',
  'image_limit',
  'image_min_size',
  'bbox_annotation_format',
  'document_annotation_format',
  'document_annotation_prompt',
  'table_format',
  'extract_header',
  'extract_footer',
] as const;

const knownFields: ReadonlySet<string> = new Set([
  'model',
  'document',
  'pages',
  'confidence_scores_granularity',
  'id',
  'include_blocks',
  ...unsupportedParameters,
]);

/**
 * Checks a JSON body by hand, as with embeddings.
 *
 * @returns the options, and the URL of the document, of which only the kind is checked
 * @throws AppError 400 that names the field
 */
export function parseOcrRequest(body: unknown): OcrOptions & { documentUrl: string } {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new AppError('validation-failed', 'The body must be a JSON object.');
  }
  const fields: Record<string, unknown> = { ...body };
  refuseUnknownFields(fields);
  return { ...parseOptions(fields), documentUrl: parseDocumentField(fields['document']) };
}

/**
 * The options among the fields of a body or of a form.
 *
 * @throws AppError 400 that names the field
 */
export function parseOptions(fields: Record<string, unknown>): OcrOptions {
  const unsupported = unsupportedParameters.find((name) => (fields[name] ?? false) !== false);
  if (unsupported !== undefined) {
    throw invalidField(unsupported, `${unsupported} asks for what this model cannot do; leave it out or send null.`);
  }
  // The client of Mistral sends true by itself, so true cannot be refused: pages answer that they have no blocks.
  const includeBlocks = fields['include_blocks'] ?? false;
  if (typeof includeBlocks !== 'boolean') throw invalidField('include_blocks', 'include_blocks must be true or false.');
  const id = fields['id'] ?? '';
  if (typeof id !== 'string') throw invalidField('id', 'id must be text.');
  return {
    model: parseModel(fields['model']),
    pages: parsePages(fields['pages']),
    confidenceGranularity: parseGranularity(fields['confidence_scores_granularity']),
  };
}

/** @throws AppError 400 */
export function parseModel(model: unknown): string {
  if (typeof model === 'string' && model !== '') return model;
  throw invalidField('model', 'model must be the id of a model, as text.');
}

function refuseUnknownFields(fields: Record<string, unknown>): void {
  const unknownField = Object.keys(fields)
    .find((field) => !knownFields.has(field))
    ?.slice(0, 100);
  if (unknownField !== undefined) throw invalidField(unknownField, `The field '${unknownField}' is not known here.`);
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

/** The most pages that a document may have. */
export const largestPageCount = 1000;

const pageOrRange = /^\d{1,4}(-\d{1,4})?$/;

/**
 * Reads `pages`: an array of page numbers, or a text such as `0,2-4`.
 *
 * @returns zero-based numbers in ascending order, each once; undefined for all pages
 * @throws AppError 400
 */
export function parsePages(value: unknown): number[] | undefined {
  if (value === undefined || value === null) return undefined;
  const numbers = typeof value === 'string' ? parseRanges(value) : checkArray(value);
  if (numbers.length === 0) throw invalidPages('pages must name at least one page.');
  const outside = numbers.find((page) => page < 0 || page >= largestPageCount);
  if (outside !== undefined) {
    throw invalidPages(`pages must be from 0 to ${largestPageCount - 1}; ${outside} is not.`);
  }
  return [...new Set(numbers)].sort((one, other) => one - other);
}

function checkArray(value: unknown): number[] {
  const items: unknown[] = Array.isArray(value) ? value : [undefined];
  if (items.length > largestPageCount) throw invalidPages(`pages must have at most ${largestPageCount} items.`);
  return items.map((item) => {
    if (typeof item === 'number' && Number.isSafeInteger(item)) return item;
    throw invalidPages('pages must be an array of whole numbers, or a text such as 0,2-4.');
  });
}

function parseRanges(text: string): number[] {
  const ranges = text.split(',', largestPageCount + 1).map((range) => range.trim());
  if (ranges.length > largestPageCount) throw invalidPages(`pages must have at most ${largestPageCount} items.`);
  return [...new Set(ranges.flatMap(parseRange))];
}

function parseRange(range: string): number[] {
  if (!pageOrRange.test(range)) throw invalidPages('pages must be page numbers and ranges, such as 0,2-4.');
  const [first = 0, last = first] = range.split('-').map(Number);
  if (last < first) throw invalidPages(`pages must have ranges that ascend; ${range} does not.`);
  // Refused by the caller.
  if (last >= largestPageCount) return [last];
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

const invalidPages = (message: string) => invalidField('pages', message);

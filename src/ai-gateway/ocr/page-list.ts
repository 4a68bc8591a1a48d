import { invalidField } from '../../common/errors/app-error.js';

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

import type { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';

/**
 * A CSV file to download, named after its content and the day.
 *
 * @param name such as `usage`
 */
export function csvFile(name: string, content: Uint8Array | Readable): StreamableFile {
  const today = new Date().toISOString().slice(0, 10);
  const options = { type: 'text/csv; charset=utf-8', disposition: `attachment; filename="${name}-${today}.csv"` };
  return content instanceof Uint8Array ? new StreamableFile(content, options) : new StreamableFile(content, options);
}

/**
 * Documents the response of `csvFile`.
 *
 * @param example the column names
 */
export const ApiCsvResponse = (name: string, description: string, example: string) =>
  ApiOkResponse({
    description,
    content: {
      'text/csv': {
        schema: { type: 'string', description: 'RFC 4180, with the column names in the first line.' },
        example,
      },
    },
    headers: {
      'Content-Disposition': {
        description: 'File name.',
        schema: { type: 'string', pattern: `^attachment; filename="${name}-\\d{4}-\\d\\d-\\d\\d\\.csv"$` },
        example: `attachment; filename="${name}-2026-01-31.csv"`,
      },
    },
  });

import type { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';

/**
 * A CSV file to download, named after its content and the day.
 *
 * @param name such as `usage`
 */
export function csvFile(name: string, content: Uint8Array | Readable): StreamableFile {
  return fileToDownload(name, 'csv', 'text/csv', content);
}

/** A file of JSON lines to download, named like a CSV file. */
export function jsonLinesFile(name: string, content: Readable): StreamableFile {
  return fileToDownload(name, 'jsonl', jsonLinesType, content);
}

const jsonLinesType = 'application/jsonl';

function fileToDownload(
  name: string,
  extension: string,
  mediaType: string,
  content: Uint8Array | Readable,
): StreamableFile {
  const today = new Date().toISOString().slice(0, 10);
  const disposition = `attachment; filename="${name}-${today}.${extension}"`;
  const options = { type: `${mediaType}; charset=utf-8`, disposition };
  return content instanceof Uint8Array ? new StreamableFile(content, options) : new StreamableFile(content, options);
}

/**
 * Documents the response of `csvFile`, and of `jsonLinesFile` if the route offers both.
 *
 * @param example the column names
 * @param jsonLines the first line of a file of JSON lines
 */
export const ApiCsvResponse = (name: string, description: string, example: string, jsonLines?: string) =>
  ApiOkResponse({
    description,
    content: {
      'text/csv': {
        schema: { type: 'string', description: 'RFC 4180, with the column names in the first line.' },
        example,
      },
      ...(jsonLines !== undefined && {
        [jsonLinesType]: {
          schema: { type: 'string', description: 'A line of JSON for each event, and for what proves it.' },
          example: jsonLines,
        },
      }),
    },
    headers: {
      'Content-Disposition': {
        description: 'File name.',
        schema: {
          type: 'string',
          pattern: `^attachment; filename="${name}-\\d{4}-\\d\\d-\\d\\d\\.${jsonLines === undefined ? 'csv' : '(csv|jsonl)'}"$`,
        },
        example: `attachment; filename="${name}-2026-01-31.csv"`,
      },
    },
  });

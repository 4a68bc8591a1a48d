import type { JsonField } from './json-scanner.js';

/** The text with another string in place of a field's value; the rest stays as it is, byte by byte. */
export function replaceField(text: Buffer, { start, end }: Pick<JsonField, 'start' | 'end'>, value: string): Buffer {
  return Buffer.concat([text.subarray(0, start), Buffer.from(JSON.stringify(value)), text.subarray(end)]);
}

/** Bytes of a JSON text and what replaces them. An insertion ends where it starts. */
export interface JsonEdit {
  /** Byte positions in the text. */
  readonly start: number;
  readonly end: number;
  readonly json: string;
}

/**
 * Edits a part of a JSON text.
 *
 * @param edits inside of the part, in order
 * @param partStart where the part starts in the text, in bytes
 * @returns pieces, not joined: copying a large body would block the event loop
 */
export function applyEdits(part: Buffer, edits: readonly JsonEdit[], partStart = 0): Buffer[] {
  const pieces: Buffer[] = [];
  let from = 0;
  for (const { start, end, json } of edits) {
    pieces.push(part.subarray(from, start - partStart), Buffer.from(json));
    from = end - partStart;
  }
  pieces.push(part.subarray(from));
  return pieces.filter(({ length }) => length > 0);
}

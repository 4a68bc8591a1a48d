import { maxDocumentBytes } from '../../common/rules/document-limits.js';
import { type AppError, invalidField } from '../../common/errors/app-error.js';
import { documentTooLarge } from './body/document-limit.js';

/** A document: sent along, or to be fetched. */
export type DocumentSource = { bytes: Buffer } | { url: URL };

/** Fields of `document` by its type. */
const fieldsOfTypes = {
  document_url: ['type', 'document_url', 'document_name'],
  image_url: ['type', 'image_url'],
} as const;

/** Signed URLs of object stores have hundreds of characters. */
const maxUrlLength = 8000;

type DocumentType = keyof typeof fieldsOfTypes;

/**
 * Reads `document`: `{ type: 'document_url', document_url }` or `{ type: 'image_url', image_url }`, where the type is
 * optional. The kind of document is detected from its content.
 *
 * @returns the URL, not checked yet
 * @throws AppError 400
 */
export function parseDocumentField(value: unknown): string {
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

/**
 * Reads the URL of a document.
 *
 * @param decodeBase64 decodes the text after `;base64,`; returns undefined if it's invalid
 * @throws AppError 400, 413 if the document is too large
 */
export async function parseDocumentUrl(
  url: string,
  decodeBase64: (text: string) => Buffer | undefined | Promise<Buffer | undefined>,
): Promise<DocumentSource> {
  const [, base64] = /^data:[^,]*;base64,(.*)$/is.exec(url) ?? [];
  if (base64 !== undefined) {
    const bytes = await decodeBase64(base64);
    if (bytes === undefined) throw invalidDocument('The data: URL of the document must be valid base64, with padding.');
    if (bytes.length > maxDocumentBytes) throw documentTooLarge('document');
    return { bytes };
  }
  if (/^data:/i.test(url)) throw invalidDocument('A data: URL must have ;base64, before its data.');
  if (url.length > maxUrlLength) throw invalidDocument(`A URL must have at most ${maxUrlLength} characters.`);
  if (/^https?:/i.test(url) && URL.canParse(url)) return { url: new URL(url) };
  throw invalidDocument('The URL of a document must begin with https://, http:// or data: and be well-formed.');
}

/** A 400 about the document. */
export const invalidDocument = (message: string): AppError => invalidField('document', message);

import { bearerHeader, publicApi } from '../../../api/public-api.js';
import type { OcrRequest } from '../../../api/schema.js';
import { ServiceError, unwrap } from '../../../api/service-error.js';
import { explainLimit } from '../explain-limit.js';
import { documentField } from './document-field.js';
import type { PageResult } from './page-state.js';

interface DocumentRequest {
  key: string;
  model: string;
  file: File;
  /** Starts at 0; `undefined` for the whole document. */
  page: number | undefined;
  signal: AbortSignal;
}

/** Reads one page or the whole document. */
export async function readDocument({ key, model, file, page, signal }: DocumentRequest): Promise<PageResult[]> {
  // A form would be smaller, but upstream models only accept JSON.
  const body = { model, document: await toDocument(file), ...(page === undefined ? {} : { pages: [page] }) };
  try {
    const { pages } = await unwrap(publicApi.POST('/v1/ocr', { body, headers: bearerHeader(key), signal }));
    return pages;
  } catch (error) {
    // Other pages may have text.
    if (!(error instanceof ServiceError) || error.code !== 'no_text_found') throw error;
    return [{ index: page ?? 0, markdown: '', warning: { message: error.message } }];
  }
}

/** Whether other pages would fail for the same reason: the document, the key, a limit or a missing response. */
export function failsAllPages(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return true;
  if (explainLimit(error) !== undefined) return true;
  const { status, code } = error;
  return status === 0 || (status >= 400 && status < 500 && status !== 429 && code !== 'pages_failed');
}

async function toDocument(file: File): Promise<OcrRequest['document']> {
  const url = await readAsDataUrl(file);
  return documentField(file) === 'image_url'
    ? { type: 'image_url', image_url: url }
    : { type: 'document_url', document_url: url };
}

function readAsDataUrl(file: File): Promise<string> {
  const reader = new FileReader();
  return new Promise((resolve, reject) => {
    reader.onload = () => {
      if (typeof reader.result === 'string') resolve(reader.result);
    };
    reader.onerror = () => reject(new Error("Couldn't read the file. Choose it again."));
    reader.readAsDataURL(file);
  });
}

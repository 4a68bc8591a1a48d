import { authorize, publicApi } from '../../../api/public-api.js';
import type { OcrPage } from '../../../api/schema.js';
import { ServiceError, unwrap } from '../../../api/service-error.js';

interface DocumentRequest {
  key: string;
  model: string;
  file: File;
  /** From 0; `undefined` for the whole document. */
  page: number | undefined;
  signal: AbortSignal;
}

/** Reads a page of a document, or all of it. */
export async function readDocument({
  key,
  model,
  file,
  page,
  signal,
}: DocumentRequest): Promise<Pick<OcrPage, 'index' | 'markdown' | 'error'>[]> {
  const body = { model, file, ...(page === undefined ? {} : { pages: String(page) }) };
  const { pages } = await unwrap(
    publicApi.POST('/v1/ocr', { body, bodySerializer: () => toForm(body), headers: authorize(key), signal }),
  );
  return pages;
}

/** Whether the other pages would fail for the same reason: because of the document, the key, or no answer at all. */
export function failsAllPages(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return true;
  const { status, code } = error;
  return status === 0 || (status >= 400 && status < 500 && status !== 429 && code !== 'pages_failed');
}

/** The file last, so that the service knows what to do with it as it arrives. */
function toForm({ file, ...fields }: { model: string; pages?: string; file: File }): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', file);
  return form;
}

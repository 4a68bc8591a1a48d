import { defaultModels } from '../../src/ai-gateway/models/default-models.js';
import type { OcrResponseDto } from '../../src/ai-gateway/tasks/ocr/ocr-response.dto.js';
import type { ModelDefinition } from '../../src/config/model-definition.js';
import { drawInvoicePdf, drawInvoicePng } from '../documents-by-url/invoice.js';
import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { aiError } from '../setup/ai-error.js';
import { type CallResponse, call } from '../setup/call.js';
import { startTestApp, type TestApp } from '../setup/test-app.js';
import { useStarted } from '../setup/use-test-app.js';

export const model = 'tesseract';

const tesseract: ModelDefinition = {
  id: model,
  aliases: ['scan'],
  task: 'ocr',
  ownedBy: 'keycard',
  createdSeconds: 1_500_000_000,
  servedBy: { engine: 'tesseract', languages: ['eng'] },
};
export const models = [...defaultModels().filter(({ task }) => task === 'embeddings'), tesseract];

export type FormFields = [name: string, value: string | Buffer][];

/** The app with an OCR model, a key and two documents. */
export interface OcrGateway extends TestApp {
  key: string;
  /** Three pages with a text layer. */
  pdf: Buffer;
  /** A scan of one page. */
  png: Buffer;
  /** Sends JSON with these fields, and with the PDF unless they have a document. */
  read: (fields: object) => Promise<CallResponse>;
  /** Sends a form as browsers and curl do. */
  upload: (fields: FormFields) => Promise<CallResponse>;
}

/** Starts the app before the tests of this file and stops it after them. */
export function useOcrGateway(): OcrGateway {
  return useStarted(async () => {
    const service = await startTestApp({ config: { models } });
    const [pdf, png] = await Promise.all([drawInvoicePdf(3), drawInvoicePng()]);
    const { key } = await createApiKey(service, await createMember(service));
    const read: OcrGateway['read'] = (fields) =>
      call(service.url, 'POST /v1/ocr', { token: key, body: { model, document: inDocument(pdf), ...fields } });
    return { ...service, key, pdf, png, read, upload: (fields) => upload(service, key, fields) };
  });
}

async function upload({ url }: TestApp, key: string, fields: FormFields): Promise<CallResponse> {
  const form = new FormData();
  for (const [name, value] of fields) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, new Blob([new Uint8Array(value)]), 'document');
  }
  const response = await fetch(`${url}/v1/ocr`, { method: 'POST', headers: { 'x-api-key': key }, body: form });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: JSON.parse(text), text };
}

export const dataUrl = (document: Buffer, type = 'application/pdf') =>
  `data:${type};base64,${document.toString('base64')}`;
export const inDocument = (document: Buffer) => ({ type: 'document_url', document_url: dataUrl(document) });
export const bodyOf = (response: CallResponse) => response.body as OcrResponseDto;
export const pagesOf = (response: CallResponse) => bodyOf(response).pages.map(({ index }) => index);
export const errorNaming = (param: string | null, code: string | null = null) =>
  aiError({ message: expect.stringMatching(/\w.*\.$/) as string, type: 'invalid_request_error', param, code });

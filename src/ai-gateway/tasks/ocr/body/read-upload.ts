import type { IncomingHttpHeaders } from 'node:http';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { maxDocumentBytes } from '../../../../common/rules/document-limits.js';
import { AppError, invalidField } from '../../../../common/errors/app-error.js';
import { ByteCollector, type MemoryShare } from '../../../../common/http/body-memory.js';
import type { BodyReader } from '../../../../common/http/body-reader.js';
import { parseModelName } from '../../../body/model-request.js';
import { parseOptions } from '../ocr-request.js';
import { documentTooLarge } from './document-limit.js';
import type { OcrRequest } from './read-ocr-request.js';

/** Fields of forms are text. */
const formFlags = ['extract_header', 'extract_footer', 'include_image_base64'] as const;
const formNumbers = ['image_limit', 'image_min_size'] as const;
const formFields = [
  'model',
  'pages',
  'confidence_scores_granularity',
  'languages',
  'id',
  ...formFlags,
  ...formNumbers,
] as const;

const limits = {
  // One more of each than is allowed, so that it's rejected rather than skipped.
  files: 2,
  fields: formFields.length + 1,
  parts: formFields.length + 3,
  fieldNameSize: 100,
  fieldSize: 16 * 1024,
  headerPairs: 20,
  headerSize: 4 * 1024,
};

export interface UploadOptions {
  /** What the file is counted against. */
  memory: MemoryShare;
  /** Called as soon as the model is known, so that the file of an unknown or busy model isn't read. */
  admit: (model: string) => unknown;
}

/**
 * Reads a form with the document as `file` and the options as fields, in any order.
 *
 * @throws AppError 400 that names the field, 413 if the file is too large, 408 if the form stops arriving, 503 if there
 *   is no memory for the file, and the errors of `admit`
 */
export async function readUpload(
  body: BodyReader,
  headers: IncomingHttpHeaders,
  { memory, admit }: UploadOptions,
): Promise<OcrRequest> {
  const upload = new Upload(new ByteCollector(memory), admit, Number(headers['content-length']));
  const form = openForm(headers);
  form.on('file', (name, file) => {
    // Applies to rejected files, too: an unread one would block the parser, an unhandled error end the process.
    file.on('error', (error) => upload.attempt(() => rejectMalformed(error)));
    file.resume();
    upload.attempt(() => upload.addFile(name, file));
  });
  form.on('field', (name, value, _nameTruncated, valueTruncated) =>
    upload.attempt(() => upload.addField(name, value, valueTruncated)),
  );
  form.on('partsLimit', () => upload.attempt(rejectSurplus));
  form.on('fieldsLimit', () => upload.attempt(rejectSurplus));
  form.on('error', (error) => upload.attempt(() => rejectMalformed(error)));
  // Listens from the start: the form may end, or turn out to be broken, while its last chunk is being written.
  const ended = new Promise<void>((resolve) => form.once('finish', () => resolve()).once('error', () => resolve()));
  for (let chunk = await body.next(); chunk !== undefined; chunk = await body.next()) {
    await Promise.race([write(form, chunk), ended]);
    upload.throwFailure();
  }
  form.end();
  await ended;
  upload.throwFailure();
  return upload.toRequest();
}

/** The parts of a form so far. The parser reports them in events, where throwing has no effect: it keeps failures. */
class Upload {
  private readonly fields = new Map<string, string>();
  private hasFile = false;
  private failure: unknown;

  constructor(
    private readonly file: ByteCollector,
    private readonly admit: (model: string) => unknown,
    private readonly announcedBytes: number,
  ) {}

  attempt(step: () => void): void {
    if (this.failure !== undefined) return;
    try {
      step();
    } catch (error) {
      this.failure = error;
    }
  }

  throwFailure(): void {
    if (this.failure !== undefined) throw this.failure as Error;
  }

  addFile(name: string | undefined, stream: BusboyFileStream): void {
    if (name !== 'file') throw invalidField(nameInWords(name), 'The file must be sent as the field file.');
    if (this.hasFile) throw invalidField('file', 'file must be one file; there is more than one.');
    this.hasFile = true;
    this.file.reserve(Math.min(this.announcedBytes, maxDocumentBytes));
    stream.on('data', (chunk: Buffer) => this.attempt(() => this.addToFile(chunk)));
  }

  private addToFile(chunk: Buffer): void {
    if (this.file.length + chunk.length > maxDocumentBytes) throw documentTooLarge('file');
    this.file.add(chunk);
  }

  addField(name: string | undefined, value: string, isTruncated: boolean): void {
    const field = nameInWords(name);
    if (field === 'file') throw invalidField('file', 'file must be sent as a file, with a filename.');
    if (!formFields.some((known) => known === field)) {
      throw invalidField(field, `The form field '${field}' is unknown.`);
    }
    if (this.fields.has(field)) throw invalidField(field, `${field} must be sent once.`);
    if (isTruncated) throw invalidField(field, `${field} must have at most ${limits.fieldSize} bytes.`);
    this.fields.set(field, value);
    if (field === 'model') this.admit(parseModelName(value));
  }

  toRequest(): OcrRequest {
    const fields: Record<string, unknown> = Object.fromEntries(this.fields);
    for (const name of formFlags) fields[name] = toFlag(this.fields.get(name));
    for (const name of formNumbers) fields[name] = toNumber(this.fields.get(name));
    const options = parseOptions(fields);
    if (!this.hasFile) throw invalidField('file', 'file is required: the document to read.');
    return { ...options, document: { bytes: this.file.bytes } };
  }
}

/** Returns other texts unchanged, to be rejected. */
function toFlag(text: string | undefined): unknown {
  return text === 'true' || text === 'false' ? text === 'true' : text;
}

/** Returns other texts unchanged, to be rejected. */
function toNumber(text: string | undefined): unknown {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : text;
}

function openForm(headers: IncomingHttpHeaders): BusboyInstance {
  try {
    return new Busboy({ headers: { ...headers, 'content-type': headers['content-type'] ?? '' }, limits });
  } catch (error) {
    throw new AppError('malformed-request', 'The content type of a form must name its boundary.', { cause: error });
  }
}

/** Resolves when the parser can take more. */
function write(form: BusboyInstance, chunk: Buffer): Promise<void> {
  return new Promise((resolve) => void form.write(chunk, () => resolve()));
}

function rejectSurplus(): never {
  throw new AppError(
    'validation-failed',
    `A form must have one file, and at most the fields ${formFields.join(', ')}.`,
  );
}

function rejectMalformed(cause: unknown): never {
  throw new AppError('malformed-request', 'The form is malformed or incomplete.', { cause });
}

function nameInWords(name: string | undefined): string {
  return name === undefined || name === '' ? '(unnamed)' : name.slice(0, 100);
}

import type { IncomingHttpHeaders } from 'node:http';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { AppError, invalidField } from '../../../common/errors/app-error.js';
import type { BodyReader } from '../../../common/http/body-reader.js';
import { parseModel, parseOptions } from '../ocr-request.js';
import { ByteCollector } from './byte-collector.js';
import { documentTooLarge, largestDocumentBytes } from './document-limit.js';
import type { DocumentMemoryShare } from '../../body/document-memory.js';
import type { OcrRequest } from './read-ocr-request.js';

const formFields = ['model', 'pages', 'confidence_scores_granularity', 'id'] as const;

const limits = {
  // One more of each than is allowed, so that it is found and refused rather than skipped.
  files: 2,
  fields: formFields.length + 1,
  parts: formFields.length + 3,
  fieldNameSize: 100,
  fieldSize: 16 * 1024,
  headerPairs: 20,
  headerSize: 4 * 1024,
};

export interface UploadOptions {
  share: DocumentMemoryShare;
  /** Called as soon as the model is known, so that an unknown or busy one is refused before the file is read. */
  admit: (model: string) => unknown;
}

/**
 * Reads a form with the document as `file` and the options as fields, in any order.
 *
 * @throws AppError 400 that names the field, 413 for too large a file, 408 when the form stops arriving, 503 when there
 *   is no memory for it; and the errors of `admit`
 */
export async function readUpload(
  body: BodyReader,
  headers: IncomingHttpHeaders,
  { share, admit }: UploadOptions,
): Promise<OcrRequest> {
  const upload = new Upload(share, admit, Number(headers['content-length']));
  const form = openForm(headers);
  form.on('file', (name, file) => {
    // Also of a file that is refused: one that nobody reads would stop the parser, one that is cut off the process.
    file.on('error', (error) => upload.attempt(() => refuseMalformed(error)));
    file.resume();
    upload.attempt(() => upload.addFile(name, file));
  });
  form.on('field', (name, value, _nameTruncated, valueTruncated) =>
    upload.attempt(() => upload.addField(name, value, valueTruncated)),
  );
  form.on('partsLimit', () => upload.attempt(refuseMore));
  form.on('fieldsLimit', () => upload.attempt(refuseMore));
  form.on('error', (error) => upload.attempt(() => refuseMalformed(error)));
  // From the beginning: a form may be found complete, or broken, while its last chunk is being written.
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

/** What a form has held so far. The parser reports in events, where throwing would be lost: failures are kept. */
class Upload {
  private readonly fields = new Map<string, string>();
  private file: ByteCollector | undefined;
  private failure: unknown;

  constructor(
    private readonly share: DocumentMemoryShare,
    private readonly admit: (model: string) => unknown,
    private readonly expectedBytes: number,
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
    if (this.file !== undefined) throw invalidField('file', 'file must be one file; there is more than one.');
    const { share, expectedBytes } = this;
    const file = new ByteCollector({
      share,
      limitBytes: largestDocumentBytes,
      tooLarge: () => documentTooLarge('file'),
      expectedBytes,
    });
    stream.on('data', (chunk: Buffer) => this.attempt(() => file.add(chunk)));
    this.file = file;
  }

  addField(name: string | undefined, value: string, isTruncated: boolean): void {
    const field = nameInWords(name);
    if (field === 'file') throw invalidField('file', 'file must be sent as a file, with a filename.');
    if (!formFields.some((known) => known === field)) {
      throw invalidField(field, `The field '${field}' is not known in a form.`);
    }
    if (this.fields.has(field)) throw invalidField(field, `${field} must be sent once.`);
    if (isTruncated) throw invalidField(field, `${field} must have at most ${limits.fieldSize} bytes.`);
    this.fields.set(field, value);
    if (field === 'model') this.admit(parseModel(value));
  }

  toRequest(): OcrRequest {
    const options = parseOptions(Object.fromEntries(this.fields));
    if (this.file === undefined) throw invalidField('file', 'file is required: the document to read.');
    return { ...options, document: { bytes: this.file.bytes() } };
  }
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

function refuseMore(): never {
  throw new AppError(
    'validation-failed',
    `A form must have one file, and at most the fields ${formFields.join(', ')}.`,
  );
}

function refuseMalformed(cause: unknown): never {
  throw new AppError('malformed-request', 'The form is malformed or ends too early.', { cause });
}

function nameInWords(name: string | undefined): string {
  return name === undefined || name === '' ? '(unnamed)' : name.slice(0, 100);
}

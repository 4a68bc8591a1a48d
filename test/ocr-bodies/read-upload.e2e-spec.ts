import type { IncomingMessage } from 'node:http';
import type { OcrRequest } from '../../src/ai-gateway/tasks/ocr/body/read-ocr-request.js';
import { readUpload } from '../../src/ai-gateway/tasks/ocr/body/read-upload.js';
import { AppError } from '../../src/common/errors/app-error.js';
import { BodyMemory } from '../../src/common/http/body-memory.js';
import { BodyReader } from '../../src/common/http/body-reader.js';
import { readBody } from './body-server.js';

const boundary = 'the-boundary';
const contentType = `multipart/form-data; boundary=${boundary}`;
const document = Buffer.from('%PDF-1.7\r\n--the-boundar\r\n\0\xff a document', 'latin1');

const part = (disposition: string, value: Buffer | string, more = '') =>
  Buffer.concat([
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n${more}\r\n`),
    Buffer.from(value),
    Buffer.from('\r\n'),
  ]);
const field = (name: string, value: string) => part(`name="${name}"`, value);
const file = (name = 'file', value = document) =>
  part(`name="${name}"; filename="a.pdf"`, value, 'content-type: application/pdf\r\n');
const end = Buffer.from(`--${boundary}--\r\n`);
const model = field('model', 'tesseract');

const readerOf = (request: IncomingMessage) =>
  new BodyReader(request, { maxBytes: 80 * 1024 * 1024, idleMilliseconds: 20_000 });

interface Upload {
  type?: string;
  /** Size of the pieces in which the body arrives. */
  pieceBytes?: number;
  maxBytes?: number;
  admit?: (model: string) => void;
}

function upload(parts: Buffer[], { type = contentType, pieceBytes, maxBytes, admit }: Upload = {}) {
  const body = Buffer.concat(parts);
  const memory = new BodyMemory(maxBytes ?? 100 * 1024 * 1024).open();
  const read = (request: IncomingMessage): Promise<OcrRequest> =>
    readUpload(readerOf(request), request.headers, { memory, admit: admit ?? (() => undefined) });
  const size = pieceBytes ?? body.length;
  const pieces = Array.from({ length: Math.ceil(body.length / size) }, (_, index) =>
    body.subarray(index * size, (index + 1) * size),
  );
  return readBody(read, { 'content-type': type, 'content-length': String(body.length) }, pieces);
}

const failureOf = (result: Promise<unknown>) => result.then(() => undefined).catch((error: unknown) => error);
const naming = (name: string) => ({ code: 'validation-failed', fields: [{ field: name }] });

describe('readUpload', () => {
  const expected = {
    model: 'tesseract',
    pages: [0, 2, 3],
    confidenceGranularity: 'page',
    extractHeader: false,
    extractFooter: true,
    images: { areIncluded: false },
    document: { bytes: document },
  };
  const options = [
    field('pages', '0,2-3'),
    field('confidence_scores_granularity', 'page'),
    field('id', 'an id'),
    field('extract_header', 'false'),
    field('extract_footer', 'true'),
  ];

  it.each([
    ['first', [file(), model, ...options, end]],
    ['last', [...options, model, file(), end]],
    ['in the middle', [model, file(), ...options, end]],
  ])('should read the document and the options if the file comes %s', async (_title, parts) => {
    expect(await upload(parts)).toEqual(expected);
  });

  it.each([1, 2, 7, 64])('should read a form that arrives in pieces of %i bytes', async (pieceBytes) => {
    expect(await upload([model, file(), ...options, end], { pieceBytes })).toEqual(expected);
  });

  it('should read an empty file, and one of several megabytes', async () => {
    for (const bytes of [Buffer.alloc(0), Buffer.alloc(5 * 1024 * 1024, 'large')]) {
      const { document: read } = await upload([model, file('file', bytes), end]);
      expect('bytes' in read && read.bytes.equals(bytes)).toBe(true);
    }
  });

  it('should reject a model before the rest of the body has arrived', async () => {
    const admit = (name: string) => {
      throw new AppError('model-not-found', `no ${name}`);
    };
    const memory = new BodyMemory(1000).open();
    const read = (request: IncomingMessage) =>
      failureOf(readUpload(readerOf(request), request.headers, { memory, admit }));
    const headers = { 'content-type': contentType, 'content-length': '1000000' };
    const failure = await readBody(read, headers, [model, file().subarray(0, 100)]);
    expect(failure).toMatchObject({ code: 'model-not-found', message: 'no tesseract' });
  });

  it.each([1, 2, 3])(
    'should reject an invalid field although %i MB of a file follow immediately',
    async (megabytes) => {
      const large = Buffer.alloc(megabytes * 1024 * 1024);
      expect(await failureOf(upload([field('format', 'x'), file('file', large), end]))).toMatchObject(naming('format'));
      expect(await failureOf(upload([model, file('other', large), end]))).toMatchObject(naming('other'));
    },
  );

  it.each<[string, string, Buffer[]]>([
    ['no file', 'file', [model, end]],
    ['a file sent as a field', 'file', [model, field('file', 'text'), end]],
    ['two files', 'file', [model, file(), file(), end]],
    ['a file with another name', 'document', [model, file('document'), end]],
    ['a file without a name', '(unnamed)', [model, part('filename="a.pdf"', document), end]],
    ['no model', 'model', [file(), end]],
    ['an empty model', 'model', [field('model', ''), file(), end]],
    ['two models', 'model', [model, model, file(), end]],
    ['invalid pages', 'pages', [model, field('pages', 'all'), file(), end]],
    [
      'an unknown granularity',
      'confidence_scores_granularity',
      [model, field('confidence_scores_granularity', 'x'), file(), end],
    ],
    ['a flag that is not true or false', 'extract_header', [model, field('extract_header', '1'), file(), end]],
    ['an unknown field', 'table_format', [model, field('table_format', 'html'), file(), end]],
    ['an unknown field named like a property', '__proto__', [model, field('__proto__', 'x'), file(), end]],
    ['too long a field', 'id', [model, field('id', 'x'.repeat(20_000)), file(), end]],
  ])('should fail with 400 naming the field for %s', async (_title, name, parts) => {
    expect(await failureOf(upload(parts))).toMatchObject(naming(name));
  });

  it('should fail with 400 for a form of many parts', async () => {
    const many = Array.from({ length: 50 }, (_, index) => field(`field-${index}`, ''));
    expect(await failureOf(upload([...many, end]))).toMatchObject({ code: 'validation-failed' });
    const files = Array.from({ length: 50 }, () => file());
    expect(await failureOf(upload([model, ...files, end]))).toMatchObject(naming('file'));
  });

  it.each<[string, Buffer[], string]>([
    ['has no boundary', [model, file(), end], 'multipart/form-data'],
    ['ends in the middle of its file', [model, file()], contentType],
    ['ends in the middle of a field', [file(), model.subarray(0, -5)], contentType],
    ['is empty', [], contentType],
    ['is not a form', [Buffer.from('{"model":"tesseract"}')], contentType],
    ['has other boundaries', [model, file(), end], 'multipart/form-data; boundary=another'],
  ])('should fail with 400 for a form that %s', async (_title, parts, type) => {
    expect(await failureOf(upload(parts, { type }))).toMatchObject({ status: 400 });
  });

  it('should fail with 413 for a file of more than 50 MB before all of it has arrived', async () => {
    const large = Buffer.alloc(51 * 1024 * 1024);
    const failure = await failureOf(upload([model, file('file', large), end], { pieceBytes: 1024 * 1024 }));
    expect(failure).toMatchObject({ code: 'payload-too-large', fields: [{ field: 'file' }] });
  });

  it('should fail with 503 if there is no memory for the file', async () => {
    expect(await failureOf(upload([model, file(), end], { maxBytes: 10 }))).toMatchObject({ code: 'overloaded' });
  });
});

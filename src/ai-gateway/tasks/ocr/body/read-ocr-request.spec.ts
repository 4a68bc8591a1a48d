import fc from 'fast-check';
import { AppError } from '../../../../common/errors/app-error.js';
import { readOcrRequest } from './read-ocr-request.js';

const defaults = {
  model: 'tesseract',
  pages: undefined,
  confidenceGranularity: undefined,
  extractHeader: false,
  extractFooter: false,
  images: { areIncluded: false },
};
const dataUrl = (document: Buffer) => `data:application/pdf;base64,${document.toString('base64')}`;
const write = (body: unknown) => Buffer.from(JSON.stringify(body));
const withDocument = (document: unknown, others: object = {}) => ({ model: 'tesseract', document, ...others });

/** Makes the bodies of these tests large. */
const maxRestBytes = 200;
const readLarge = (body: Buffer) => readOcrRequest(body, maxRestBytes);
const failureOf = (result: Promise<unknown>) => result.then(() => undefined).catch((error: unknown) => error);

describe('readOcrRequest', () => {
  it.each<[string, (url: string) => unknown]>([
    ['document_url', (url) => ({ type: 'document_url', document_url: url })],
    ['image_url', (url) => ({ type: 'image_url', image_url: url })],
    ['image_url with detail', (url) => ({ type: 'image_url', image_url: { url, detail: 'auto' } })],
  ])('should read a document in %s, in large and small bodies alike', async (_title, place) => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 400, maxLength: 2000 }), async (array) => {
        const document = Buffer.from(array);
        const body = write(withDocument(place(dataUrl(document)), { pages: '0-1' }));
        const small = await readOcrRequest(Buffer.from(body));
        const large = await readLarge(Buffer.from(body));
        expect(small).toEqual({ ...defaults, pages: [0, 1], document: { bytes: document } });
        expect(large).toEqual(small);
      }),
    );
  });

  it('should read a large document from JSON with escaped slashes and plus signs', async () => {
    const document = Buffer.alloc(999, '\u00fb\u00ff\u00fe', 'latin1');
    const json = JSON.stringify(withDocument({ document_url: dataUrl(document) }));
    const escaped = json.replaceAll('/', '\\/').replaceAll('+', '\\u002B').replaceAll('=', '\\u003D');
    expect(escaped).toContain('\\u002B');
    expect(await readLarge(Buffer.from(escaped))).toEqual({ ...defaults, document: { bytes: document } });
  });

  it('should read a document of 50 MB', async () => {
    const document = Buffer.alloc(50 * 1024 * 1024, 'a long document');
    const body = Buffer.from(`{"document":{"document_url":"${dataUrl(document)}"},"model":"tesseract"}`);
    const read = await readOcrRequest(body);
    expect('bytes' in read.document && read.document.bytes.equals(document)).toBe(true);
  });

  it('should not block the event loop while reading a large document', async () => {
    const document = Buffer.alloc(20 * 1024 * 1024, 'a long document');
    const body = Buffer.from(JSON.stringify(withDocument({ document_url: dataUrl(document) })));
    let turns = 0;
    const count = () => {
      turns += 1;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    await readOcrRequest(body);
    clearImmediate(counting);
    expect(turns).toBeGreaterThan(50);
  });

  it('should return a URL to fetch', async () => {
    const read = await readOcrRequest(write(withDocument({ document_url: 'https://example.com/a.pdf?x=1' })));
    expect(read.document).toEqual({ url: new URL('https://example.com/a.pdf?x=1') });
  });

  it.each(['', '{', '[1,', '\ufeff{}', '{"model":"a",}'])('should reject %j, which is not JSON', async (text) => {
    expect(await failureOf(readOcrRequest(Buffer.from(text)))).toMatchObject({ code: 'malformed-request' });
  });

  it('should reject deeply nested JSON', async () => {
    const failure = await failureOf(readOcrRequest(Buffer.from('['.repeat(50_000))));
    expect(failure).toMatchObject({ code: 'malformed-request' });
  });

  it('should reject a large body that is broken outside of its document', async () => {
    const body = write(withDocument({ document_url: dataUrl(Buffer.alloc(999)) }));
    expect(await failureOf(readLarge(body.subarray(0, -1)))).toMatchObject({ code: 'malformed-request' });
    expect(await failureOf(readLarge(body.subarray(0, -3)))).toMatchObject({ code: 'payload-too-large' });
  });

  it('should name the document if the base64 of a large one is broken', async () => {
    const url = dataUrl(Buffer.alloc(999)).replace('AAAA', 'AA*A');
    const failure = await failureOf(readLarge(write(withDocument({ document_url: url }))));
    expect(failure).toMatchObject({ code: 'validation-failed', fields: [{ field: 'document' }] });
  });

  const long = 'A'.repeat(999);
  it.each<[string, unknown]>([
    ['a URL to fetch', withDocument({ document_url: `https://example.com/;base64,${long}` })],
    ['an id', withDocument({ document_url: 'data:;base64,QQ==' }, { id: `;base64,${long}` })],
    ['a name', withDocument({ document_url: 'data:;base64,QQ==', document_name: long })],
    ['a document that is not base64', withDocument({ document_url: `data:text/plain,${long}` })],
    ['a string instead of an object', long],
  ])('should reject a body that is large because of %s', async (_title, body) => {
    expect(await failureOf(readLarge(write(body)))).toMatchObject({ code: 'payload-too-large' });
  });

  it('should quickly reject a body that seems to contain many documents', async () => {
    const body = Buffer.from(`"${'";base64,'.repeat(100_000)}${'A'.repeat(20_000_000)}`);
    expect(await failureOf(readOcrRequest(body))).toBeInstanceOf(AppError);
  });
});

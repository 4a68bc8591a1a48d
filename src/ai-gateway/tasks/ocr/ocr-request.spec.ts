import { decodeBase64, parseDocumentUrl } from './body/read-ocr-request.js';
import { parseOcrRequest, unsupportedParameters } from './ocr-request.js';

const documentUrl = 'data:application/pdf;base64,JVBERi0=';
const document = { type: 'document_url', document_url: documentUrl };
const base = { model: 'tesseract', document };
const naming = (field: string) =>
  expect.objectContaining({
    code: 'validation-failed',
    fields: [{ field, message: expect.stringMatching(/\w.+\.$/) as string }],
  }) as Error;

describe('parseOcrRequest', () => {
  it('should read all options', () => {
    const request = {
      ...base,
      pages: [1, 0],
      confidence_scores_granularity: 'word',
      languages: ['deu', 'eng'],
      id: 'request-1',
      extract_footer: true,
      include_image_base64: true,
      image_limit: 3,
      image_min_size: null,
    };
    expect(parseOcrRequest(request)).toEqual({
      model: 'tesseract',
      documentUrl,
      pages: [0, 1],
      confidenceGranularity: 'word',
      languages: ['deu', 'eng'],
      extractHeader: false,
      extractFooter: true,
      images: { areIncluded: true, limit: 3 },
    });
  });

  it.each<[unknown]>([
    [{ document_url: documentUrl }],
    [{ type: 'document_url', document_url: documentUrl, document_name: 'a.pdf' }],
    [{ type: 'document_url', document_url: documentUrl, document_name: null }],
    [{ image_url: documentUrl }],
    [{ type: 'image_url', image_url: documentUrl }],
    [{ type: 'image_url', image_url: { url: documentUrl } }],
    [{ type: 'image_url', image_url: { url: documentUrl, detail: null } }],
    [{ type: 'image_url', image_url: { url: documentUrl, detail: 'auto' } }],
    [{ type: null, image_url: { url: documentUrl, detail: 'high' } }],
  ])('should find the document in %j', (value) => {
    expect(parseOcrRequest({ ...base, document: value }).documentUrl).toBe(documentUrl);
  });

  it.each(unsupportedParameters)('should accept null and false for %s, and reject other values by name', (name) => {
    for (const off of [null, false]) {
      expect(parseOcrRequest({ ...base, [name]: off })).toMatchObject({ model: 'tesseract' });
    }
    for (const value of [true, 0, 1, '', 'markdown', {}, []]) {
      expect(() => parseOcrRequest({ ...base, [name]: value })).toThrow(naming(name));
    }
  });

  it("should accept include_blocks, which Mistral's client always sends", () => {
    for (const value of [true, false, null]) {
      expect(parseOcrRequest({ ...base, include_blocks: value })).toMatchObject({ model: 'tesseract' });
    }
  });

  it('should read languages from a string', () => {
    expect(parseOcrRequest({ ...base, languages: 'deu, eng,deu' }).languages).toEqual(['deu', 'eng']);
    expect(parseOcrRequest({ ...base, languages: null }).languages).toBeUndefined();
  });

  it.each([[[]], [''], ['deu+eng'], [['deu', 1]], [Array(11).fill('deu')], [{}]])(
    'should reject the languages %j',
    (languages) => {
      expect(() => parseOcrRequest({ ...base, languages })).toThrow(naming('languages'));
    },
  );

  it.each(['confidence_scores_granularity', 'pages', 'id', 'extract_header', 'extract_footer'])(
    'should accept null for %s',
    (name) => {
      expect(parseOcrRequest({ ...base, [name]: null })).toMatchObject({ pages: undefined });
    },
  );

  it.each<[string, object]>([
    ['model', { model: undefined }],
    ['model', { model: null }],
    ['model', { model: '' }],
    ['model', { model: 7 }],
    ['id', { id: 7 }],
    ['pages', { pages: [-1] }],
    ['include_blocks', { include_blocks: 'yes' }],
    ['extract_header', { extract_header: 'true' }],
    ['extract_footer', { extract_footer: 1 }],
    ['confidence_scores_granularity', { confidence_scores_granularity: 'block' }],
    ['confidence_scores_granularity', { confidence_scores_granularity: true }],
    ['documents', { documents: [] }],
    ['toString', { toString: 1 }],
    ['document', { document: undefined }],
    ['document', { document: null }],
    ['document', { document: documentUrl }],
    ['document', { document: [document] }],
    ['document', { document: {} }],
    ['document', { document: { type: 'document_url' } }],
    ['document', { document: { type: 'document_url', document_url: '' } }],
    ['document', { document: { type: 'document_url', document_url: 7 } }],
    ['document', { document: { type: 'document_url', document_url: { url: documentUrl } } }],
    ['document', { document: { type: 'document_url', image_url: documentUrl } }],
    ['document', { document: { ...document, image_url: documentUrl } }],
    ['document', { document: { ...document, pages: [0] } }],
    ['document', { document: { ...document, document_name: 7 } }],
    ['document', { document: { type: 'pdf', document_url: documentUrl } }],
    ['document', { document: { type: 'file', file_id: '00000000-0000-0000-0000-000000000000' } }],
    ['document', { document: { file_id: '00000000-0000-0000-0000-000000000000' } }],
    ['document', { document: { image_url: { url: documentUrl, detail: 'low' } } }],
    ['document', { document: { image_url: { url: documentUrl, size: 1 } } }],
    ['document', { document: { image_url: {} } }],
    ['document', { document: { image_url: null } }],
  ])('should reject an invalid %s: %j', (field, fields) => {
    expect(() => parseOcrRequest({ ...base, ...fields })).toThrow(naming(field));
  });

  it.each([[], null, 'text', 7])('should reject %j, which is not an object', (body) => {
    expect(() => parseOcrRequest(body)).toThrow('The body must be a JSON object.');
  });

  it('should explain that files are not stored, and what to send instead', () => {
    expect(() => parseOcrRequest({ ...base, document: { type: 'file', file_id: 'x' } })).toThrow(
      /not stored.*data: URL/,
    );
  });

  it('should reject __proto__ like any other unknown field', () => {
    const body: unknown = JSON.parse('{"model":"tesseract","__proto__":{}}');
    expect(() => parseOcrRequest(body)).toThrow(naming('__proto__'));
  });
});

describe('parseDocumentUrl', () => {
  it.each(['data:application/pdf;base64,JVBERi0=', 'data:;base64,JVBERi0=', 'DATA:a/b;name=x;base64,JVBERi0='])(
    'should decode %s, regardless of its type',
    async (url) => {
      expect(await parseDocumentUrl(url, decodeBase64)).toEqual({ bytes: Buffer.from('%PDF-') });
    },
  );

  it.each([
    'data:application/pdf,JVBERi0=',
    'data:,;base64,JVBERi0=',
    'data:application/pdf;base64,JVBERi0',
    'data:application/pdf;base64,JVBE Ri0=',
    'data:application/pdf;base64,JVBERi0%3D',
    'data:',
    'JVBERi0=',
    'file:///etc/passwd',
    'ftp://example.com/a.pdf',
    'gopher://example.com/',
    'blob:https://example.com/1',
    'https://',
    'http://exa mple.com/',
    '//example.com/a.pdf',
    '/a.pdf',
    `https://example.com/${'a'.repeat(8000)}`,
  ])('should reject %s and name the document', async (url) => {
    await expect(parseDocumentUrl(url, decodeBase64)).rejects.toThrow(naming('document'));
  });
});

import { limits } from '../test/new-reader.js';
import { decodeResponse, encodeResponse, type PageResponse, type WorkerResponse } from './worker-messages.js';

const emptyBody = Buffer.alloc(0);
const page: PageResponse = {
  kind: 'page',
  markdown: 'Größe 12 €',
  headerEnd: 0,
  footerStart: 9,
  dimensions: { dpi: 200, width: 1_166, height: 1_652 },
  words: {
    starts: Uint32Array.of(0, 6, 9),
    lengths: Uint32Array.of(5, 2, 1),
    confidences: Float64Array.of(0.5, 1, 0.25),
  },
  images: [
    { position: 0, box: { left: 10, top: 20, right: 30, bottom: 40 }, jpeg: Buffer.from('first') },
    { position: 9, box: { left: 0, top: 0, right: 1_166, bottom: 100 }, jpeg: undefined },
  ],
  isBlank: false,
  languages: ['deu', 'eng'],
};

const recognize: WorkerResponse = {
  kind: 'recognize',
  image: { pixels: Buffer.from('pixels'), width: 3, height: 2, dpi: 200 },
  languages: ['deu', 'eng'],
  method: { threshold: '2', segmentation: '3' },
};

const [image] = page.images;
const fields = {
  wordCount: 0,
  headerEnd: 0,
  footerStart: 0,
  dimensions: page.dimensions,
  images: [] as unknown[],
  isBlank: false,
  languages: [],
};
const recognizeFields = { ...recognize, width: 0, height: 0, dpi: 200 };
const packedImage = { position: 0, ...image?.box, bytes: 0 };

function roundTrip(response: WorkerResponse): WorkerResponse {
  const { head, body = emptyBody } = encodeResponse(response);
  return decodeResponse({ head: JSON.parse(JSON.stringify(head)), body }, limits);
}

describe('decodeResponse', () => {
  it.each<WorkerResponse>([
    { kind: 'started' },
    { kind: 'opened', pageCount: 3 },
    { kind: 'closed', memoryBytes: 1_000 },
    { kind: 'document-error', problem: 'encrypted', message: 'It is encrypted.' },
    { kind: 'page-failed', failure: 'is damaged.' },
    { kind: 'out-of-memory' },
    { kind: 'worker-failed', reason: 'It could not be loaded.' },
    page,
    recognize,
  ])('should return an encoded response of kind $kind', (response) => {
    expect(roundTrip(response)).toEqual(response);
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['a string', 'started'],
    ['an unknown kind', { kind: 'constructor' }],
    ['a fractional page count', { kind: 'opened', pageCount: 1.5 }],
    ['a negative page count', { kind: 'opened', pageCount: -1 }],
    ['an unknown problem', { kind: 'document-error', problem: 'toString', message: '' }],
    ['a message that is not a string', { kind: 'document-error', problem: 'corrupt', message: {} }],
    ['a page without dimensions', { kind: 'page', wordCount: 0 }],
    ['a page that may be blank', { kind: 'page', ...fields, isBlank: 1 }],
    ['a page in an invalid language', { kind: 'page', ...fields, languages: ['</script>'] }],
    ['a page in too many languages', { kind: 'page', ...fields, languages: Array(11).fill('eng') }],
    ['a page without images', { kind: 'page', ...fields, images: undefined }],
    ['too many images', { kind: 'page', ...fields, images: Array(33).fill(packedImage) }],
    ['an image without its bytes', { kind: 'page', ...fields, images: [{ ...packedImage, bytes: 1 }] }],
    ['an image outside the Markdown', { kind: 'page', ...fields, images: [{ ...packedImage, position: 1 }] }],
    ['an image without a box', { kind: 'page', ...fields, images: [{ position: 0, bytes: 0 }] }],
    ['pixels that are missing', { ...recognizeFields, width: 1, height: 1 }],
    ['an image without pixels', recognizeFields],
    ['an option as a language', { ...recognizeFields, languages: ['--help'] }],
    ['an unknown method', { ...recognizeFields, method: { threshold: '2', segmentation: '0' } }],
    ['a page without its words', { kind: 'page', wordCount: 1_000_000, dimensions: page.dimensions }],
  ])('should reject %s', (_, head) => {
    expect(() => decodeResponse({ head, body: emptyBody }, limits)).toThrow(TypeError);
  });

  it.each([
    ['words outside the Markdown', { starts: Uint32Array.of(0, 6, 10) }],
    ['overlapping words', { starts: Uint32Array.of(0, 4, 9) }],
    ['word lengths that overflow', { lengths: Uint32Array.of(5, 2, 0xffff_ffff) }],
    ['a confidence that is not a number', { confidences: Float64Array.of(0, NaN, 1) }],
    ['a confidence above 1', { confidences: Float64Array.of(0, 1, 2) }],
  ])('should reject %s', (_, words) => {
    expect(() => roundTrip({ ...page, words: { ...page.words, ...words } })).toThrow(TypeError);
  });
});

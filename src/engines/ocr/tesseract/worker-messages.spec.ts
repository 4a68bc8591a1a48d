import { decodeAnswer, encodeAnswer, type ReadAnswer, type WorkerAnswer } from './worker-messages.js';

const noBody = Buffer.alloc(0);
const page: ReadAnswer = {
  kind: 'page',
  markdown: 'Größe 12 €',
  dimensions: { dpi: 200, width: 1_166, height: 1_652 },
  words: {
    starts: Uint32Array.of(0, 6, 9),
    lengths: Uint32Array.of(5, 2, 1),
    confidences: Float64Array.of(0.5, 1, 0.25),
  },
};

function pass(answer: WorkerAnswer): WorkerAnswer {
  const { head, body = noBody } = encodeAnswer(answer);
  return decodeAnswer({ head: JSON.parse(JSON.stringify(head)), body });
}

describe('decodeAnswer', () => {
  it.each<WorkerAnswer>([
    { kind: 'started' },
    { kind: 'opened', pageCount: 3 },
    { kind: 'closed', memoryBytes: 1_000 },
    { kind: 'refused', problem: 'encrypted', message: 'It is encrypted.' },
    { kind: 'page-failed', failure: 'is damaged.' },
    { kind: 'out-of-memory' },
    { kind: 'broken', reason: 'It cannot load.' },
    page,
  ])('should return what was encoded: $kind', (answer) => {
    expect(pass(answer)).toEqual(answer);
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['text', 'started'],
    ['an unknown kind', { kind: 'constructor' }],
    ['a page count that is not whole', { kind: 'opened', pageCount: 1.5 }],
    ['a page count below 0', { kind: 'opened', pageCount: -1 }],
    ['an unknown problem', { kind: 'refused', problem: 'toString', message: '' }],
    ['a message that is not text', { kind: 'refused', problem: 'corrupt', message: {} }],
    ['a page without dimensions', { kind: 'page', wordCount: 0 }],
    ['a page whose words are missing', { kind: 'page', wordCount: 1_000_000, dimensions: page.dimensions }],
  ])('should reject %s', (_, head) => {
    expect(() => decodeAnswer({ head, body: noBody })).toThrow(TypeError);
  });

  it.each([
    ['words outside the Markdown', { starts: Uint32Array.of(0, 6, 10) }],
    ['words that overlap', { starts: Uint32Array.of(0, 4, 9) }],
    ['words that overflow', { lengths: Uint32Array.of(5, 2, 0xffff_ffff) }],
    ['confidence that is not a number', { confidences: Float64Array.of(0, NaN, 1) }],
    ['confidence above 1', { confidences: Float64Array.of(0, 1, 2) }],
  ])('should reject %s', (_, words) => {
    expect(() => pass({ ...page, words: { ...page.words, ...words } })).toThrow(TypeError);
  });
});

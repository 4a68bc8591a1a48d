import fc from 'fast-check';
import type { MediaTokens } from '../../../config/model-definition.js';
import { chat } from './dialects/chat.js';
import { messages } from './dialects/messages.js';
import { defaultMediaTokens, InputSizeReader, mediaTokensOf } from './input-size.js';

function measure(body: object, dialect = chat, size = Infinity, mediaTokens: MediaTokens = defaultMediaTokens) {
  const reader = new InputSizeReader(dialect.media, mediaTokens);
  const bytes = Buffer.from(JSON.stringify(body));
  for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, Math.min(at + size, bytes.length)));
  return { ...reader.end(), bytes: bytes.length };
}

const partsOf = (...content: object[]) => ({ messages: [{ role: 'user', content }] });
const long = 'A'.repeat(100_000);

describe('InputSizeReader', () => {
  it('should allow for a token per byte of text, however the body is cut', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 9 }), (text, size) => {
        const { maxTokens } = measure(partsOf({ type: 'text', text }), chat, size);
        expect(maxTokens).toBeGreaterThanOrEqual(Buffer.byteLength(text.toWellFormed()));
      }),
    );
  });

  it.each([
    ['an image of OpenAI', chat, { type: 'image_url', image_url: { url: `data:image/png;base64,${long}` } }],
    ['audio of OpenAI', chat, { type: 'input_audio', input_audio: { data: long, format: 'wav' } }],
    ['an image of Anthropic', messages, { type: 'image', source: { type: 'base64', data: long } }],
  ])('should not count the bytes of %s', (_title, dialect, part) => {
    expect(measure(partsOf(part), dialect).maxTokens).toBeLessThan(long.length / 2);
  });

  it.each([
    ['a text that claims to be an image', chat, { type: 'text', text: '', image_url: { url: long } }],
    ['a document of text', messages, { type: 'document', source: { type: 'text', data: long } }],
    ['input of a tool that looks like an image', messages, { type: 'tool_use', input: { source: { data: long } } }],
  ])('should count the bytes of %s', (_title, dialect, part) => {
    expect(measure(partsOf(part), dialect).maxTokens).toBeGreaterThan(long.length);
  });

  it('should allow more for documents than for images', () => {
    const document = { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'AAAA' } };
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
    const [one, other] = [document, image].map((part) => measure(partsOf(part), messages).maxTokens);
    expect(one).toBeGreaterThan(other ?? Infinity);
  });

  it('should count what the models allow for each kind of media', () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
    const tokensWith = (tokens: number) => {
      const bounds = mediaTokensOf([{ mediaTokens: { image: tokens } }]);
      return measure(partsOf(image, image), chat, Infinity, bounds).maxTokens;
    };
    expect(tokensWith(9000) - tokensWith(100)).toBe(2 * 8900);
  });
});

describe('mediaTokensOf', () => {
  it('should return the most that one of the models may count, by default or as it says', () => {
    expect(mediaTokensOf([{}])).toEqual({ image: 5000, audio: 20_000, file: 100_000 });
    expect(mediaTokensOf([{ mediaTokens: { image: 300 } }])).toEqual({ image: 300, audio: 20_000, file: 100_000 });
    expect(mediaTokensOf([{ mediaTokens: { image: 300, file: 200_000 } }, { mediaTokens: { image: 400 } }])).toEqual({
      image: 400,
      audio: 20_000,
      file: 200_000,
    });
  });
});

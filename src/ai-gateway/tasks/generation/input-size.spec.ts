import fc from 'fast-check';
import { chat } from './dialects/chat.js';
import { messages } from './dialects/messages.js';
import { InputSizeReader } from './input-size.js';

function measure(body: object, dialect = chat, size = Infinity) {
  const reader = new InputSizeReader(dialect.media);
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
});

import fc from 'fast-check';
import { decodeBase64, decodeBase64InPlace } from './read-ocr-request.js';

const bytesOf = () => fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));

/** How JSON writers escape base64. */
const writers: Record<string, (base64: string) => string> = {
  'without escapes': (base64) => base64,
  'with escaped slashes': (base64) => base64.replaceAll('/', '\\/'),
  'with + and = as code points': (base64) => base64.replaceAll('+', '\\u002B').replaceAll('=', '\\u003d'),
  'with all characters as code points': (base64) =>
    base64.replace(/./g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`),
};

const invalid = ['A', 'AB', 'ABC', 'AB==CD==', 'A===', 'AB-_', 'AB C', 'AB\nCD', '====', 'ABC*', 'QQ=', 'QR==', 'ÄBCD'];

describe('decodeBase64', () => {
  it('should decode what was encoded', () => {
    fc.assert(fc.property(bytesOf(), (bytes) => decodeBase64(bytes.toString('base64'))?.equals(bytes) === true));
  });

  it.each(invalid)('should reject %j', (text) => {
    expect(decodeBase64(text)).toBeUndefined();
  });
});

describe('decodeBase64InPlace', () => {
  it.each(Object.entries(writers))('should decode base64 %s, wherever turns end', async (_title, write) => {
    const turns = fc.integer({ min: 1, max: 40 });
    const surroundings = fc.tuple(fc.string({ maxLength: 20 }), fc.string({ maxLength: 20 }));
    await fc.assert(
      fc.asyncProperty(bytesOf(), turns, surroundings, async (bytes, bytesPerTurn, [before, after]) => {
        const text = write(bytes.toString('base64'));
        const body = Buffer.from(before + text + after);
        const start = Buffer.byteLength(before);
        const decoded = await decodeBase64InPlace(body, start, start + text.length, bytesPerTurn);
        expect(decoded?.equals(bytes)).toBe(true);
      }),
    );
  });

  it('should replace the text with its bytes', async () => {
    const body = Buffer.from(`"${Buffer.from('hello').toString('base64')}"`);
    const decoded = await decodeBase64InPlace(body, 1, body.length - 1);
    expect(decoded?.buffer).toBe(body.buffer);
    expect(decoded?.toString()).toBe('hello');
  });

  it.each([...invalid, 'AB\\nCD', 'ABC\\', '\\x41BCD', '\\\\u0041BCD', '\\u00'])(
    'should reject %j, wherever turns end',
    async (text) => {
      for (let bytesPerTurn = 1; bytesPerTurn <= text.length + 1; bytesPerTurn += 1) {
        const body = Buffer.from(text);
        expect(await decodeBase64InPlace(body, 0, body.length, bytesPerTurn)).toBeUndefined();
      }
    },
  );
});

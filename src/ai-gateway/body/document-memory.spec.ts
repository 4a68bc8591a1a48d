import { AppError } from '../../common/errors/app-error.js';
import { ByteCollector } from '../ocr/body/byte-collector.js';
import { DocumentMemory } from './document-memory.js';

const overloaded = expect.objectContaining({ code: 'overloaded', headers: { 'retry-after': '5' } }) as Error;

describe('DocumentMemory', () => {
  it('should refuse what does not fit beside all that is held, and say when to try again', () => {
    const memory = new DocumentMemory(100);
    const one = memory.open();
    one.take(60);
    const other = memory.open();
    expect(() => other.expect(41)).toThrow(overloaded);
    expect(() => other.take(41)).toThrow(overloaded);
    expect(() => other.take(40)).not.toThrow();
  });

  it('should have room again once a request has ended, however often it says so', () => {
    const memory = new DocumentMemory(100);
    const one = memory.open();
    one.take(100);
    one.release();
    one.release();
    const other = memory.open();
    expect(() => other.take(100)).not.toThrow();
    expect(() => memory.open().take(1)).toThrow(overloaded);
  });

  it('should leave room for other organizations, however many requests one of them sends', () => {
    const memory = new DocumentMemory(100);
    const flood = { organizationId: 'flood' };
    for (let request = 0; request < 8; request += 1) memory.open(flood).take(10);
    expect(() => memory.open(flood).take(10)).toThrow(overloaded);
    expect(() => memory.open({ organizationId: 'other' }).take(10)).not.toThrow();
  });

  it('should not hold room for what is only announced', () => {
    const memory = new DocumentMemory(100);
    memory.open().expect(100);
    expect(() => memory.open().take(100)).not.toThrow();
  });
});

describe('ByteCollector', () => {
  const tooLarge = () => new AppError('payload-too-large', 'too large');
  const collect = (chunks: string[], expectedBytes?: number, limitBytes = 100) => {
    const share = new DocumentMemory(2000).open();
    const collector = new ByteCollector({ share, limitBytes, tooLarge, expectedBytes });
    for (const chunk of chunks) collector.add(Buffer.from(chunk));
    return collector.bytes().toString();
  };

  it.each([undefined, NaN, -1, 0, 1.5, 1, 5, 6, 7, 1000, Infinity])(
    'should give what has arrived when %d bytes were announced',
    (expectedBytes) => {
      expect(collect(['ab', '', 'c', 'def'], expectedBytes)).toBe('abcdef');
    },
  );

  it('should give all of a body that turns out larger than announced', () => {
    const chunks = Array.from({ length: 300 }, (_, index) => String(index));
    expect(collect(chunks, 1, 1000)).toBe(chunks.join(''));
  });

  it('should take as much as the limit, and no byte more', () => {
    expect(collect(['abc', 'def'], undefined, 6)).toBe('abcdef');
    expect(() => collect(['abc', 'def', 'g'], undefined, 6)).toThrow('too large');
  });
});

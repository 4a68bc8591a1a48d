import { BodyMemory, ByteCollector } from './body-memory.js';

const overloaded = expect.objectContaining({ code: 'overloaded', headers: { 'retry-after': '5' } }) as Error;

describe('BodyMemory', () => {
  it('should reject bytes that do not fit, with the time to retry', () => {
    const memory = new BodyMemory(100);
    const one = memory.open();
    one.take(60);
    const other = memory.open();
    expect(() => other.expect(41)).toThrow(overloaded);
    expect(() => other.take(41)).toThrow(overloaded);
    expect(() => other.take(40)).not.toThrow();
  });

  it('should have room again after a request has released its share, even twice', () => {
    const memory = new BodyMemory(100);
    const one = memory.open();
    one.take(100);
    one.release();
    one.release();
    const other = memory.open();
    expect(() => other.take(100)).not.toThrow();
    expect(() => memory.open().take(1)).toThrow(overloaded);
  });

  it('should leave room for other organizations, however many requests one of them sends', () => {
    const memory = new BodyMemory(100);
    for (let request = 0; request < 8; request += 1) memory.open('flood').take(10);
    expect(() => memory.open('flood').take(10)).toThrow(overloaded);
    expect(() => memory.open('other').take(10)).not.toThrow();
  });

  it('should not reserve announced bytes', () => {
    const memory = new BodyMemory(100);
    memory.open().expect(100);
    expect(() => memory.open().take(100)).not.toThrow();
  });
});

describe('ByteCollector', () => {
  const openCollector = (maxBytes = 2000) => new ByteCollector(new BodyMemory(maxBytes).open());

  function collect(chunks: readonly string[], announcedBytes?: number): string {
    const collector = openCollector();
    collector.reserve(announcedBytes);
    for (const chunk of chunks) collector.add(Buffer.from(chunk));
    return collector.bytes.toString();
  }

  it.each([undefined, NaN, -1, 0, 1.5, 1, 5, 6, 7, 1000, Infinity])(
    'should return all bytes if %d were announced',
    (announcedBytes) => {
      expect(collect(['', 'ab', '', 'c', 'def'], announcedBytes)).toBe('abcdef');
    },
  );

  it('should grow beyond the announced size', () => {
    const chunks = Array.from({ length: 300 }, (_, index) => String(index));
    expect(collect(chunks, 1)).toBe(chunks.join(''));
  });

  it('should keep collected bytes when a size is announced later', () => {
    const collector = openCollector();
    collector.add(Buffer.from('ab'));
    collector.reserve(1000);
    collector.add(Buffer.from('cd'));
    expect(collector.bytes.toString()).toBe('abcd');
  });

  it('should not write to the chunks', () => {
    const chunk = Buffer.from('abcdef').subarray(0, 3);
    const collector = openCollector();
    collector.add(chunk);
    collector.add(Buffer.from('xyz'));
    expect(Buffer.from(chunk.buffer, chunk.byteOffset, 6).toString()).toBe('abcdef');
  });

  it('should reject a chunk that does not fit into the memory', () => {
    const collector = openCollector(10);
    collector.add(Buffer.from('abcdef'));
    expect(() => collector.add(Buffer.from('ghijk'))).toThrow(overloaded);
    expect(collector.length).toBe(6);
  });
});

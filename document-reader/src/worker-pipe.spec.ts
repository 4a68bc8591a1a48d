import { PassThrough } from 'node:stream';
import { type Frame, readFrames, writeFrame } from './worker-pipe.js';

const limits = { headBytes: 100, bodyBytes: 1_000 };

/** Reads frames from bytes that arrive in chunks of `chunkBytes`. */
async function read(bytes: Buffer, chunkBytes = bytes.length): Promise<{ frames: Frame[]; errors: Error[] }> {
  const stream = new PassThrough();
  const frames: Frame[] = [];
  const errors: Error[] = [];
  readFrames(
    stream,
    limits,
    (frame) => frames.push(frame),
    (error) => errors.push(error),
  );
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    stream.write(bytes.subarray(start, start + chunkBytes));
  }
  stream.end();
  await new Promise((resolve) => stream.once('end', resolve));
  return { frames, errors };
}

function write(...frames: [head: object, body?: Buffer][]): Buffer {
  const stream = new PassThrough();
  for (const [head, body] of frames) writeFrame(stream, head, body);
  return stream.read() as Buffer;
}

function withLengths(headLength: number, bodyLength: number, content = ''): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32LE(headLength, 0);
  header.writeUInt32LE(bodyLength, 4);
  return Buffer.concat([header, Buffer.from(content)]);
}

describe('readFrames', () => {
  it.each([1, 3, 7, 10_000])('should read frames that arrive in chunks of %d bytes', async (chunkBytes) => {
    const bytes = write([{ kind: 'one' }, Buffer.from('body')], [{ kind: 'two' }], [{}, Buffer.alloc(1_000, 7)]);
    const { frames, errors } = await read(bytes, chunkBytes);
    expect(frames.map(({ head, body }) => [head, body.length])).toEqual([
      [{ kind: 'one' }, 4],
      [{ kind: 'two' }, 0],
      [{}, 1_000],
    ]);
    expect(frames[0]?.body.toString()).toBe('body');
    expect(errors).toEqual([]);
  });

  it.each([
    ['a head', withLengths(101, 0)],
    ['a body', withLengths(2, 1_001)],
    ['a body of four gigabytes', withLengths(2, 0xffff_ffff)],
  ])('should reject %s over its limit before it arrives', async (_, header) => {
    const { frames, errors } = await read(Buffer.concat([header, write([{ kind: 'late' }])]));
    expect(errors).toHaveLength(1);
    expect(errors[0]?.message).toMatch(/^A message with lengths \d+ and \d+ is not allowed\.$/);
    expect(frames).toEqual([]);
  });

  it.each([withLengths(0, 4, 'body'), withLengths(5, 0, '{"a":')])(
    'should reject a head that is not JSON',
    async (bytes) => {
      const { frames, errors } = await read(bytes);
      expect([frames.length, errors.length]).toEqual([0, 1]);
    },
  );
});

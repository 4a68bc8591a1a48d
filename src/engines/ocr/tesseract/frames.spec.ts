import { PassThrough } from 'node:stream';
import { type Frame, readFrames, writeFrame } from './frames.js';

const limits = { headBytes: 100, bodyBytes: 1_000 };

/** What a reader with the limits makes of the bytes, which arrive in pieces of `pieceBytes`. */
async function read(bytes: Buffer, pieceBytes = bytes.length): Promise<{ frames: Frame[]; errors: Error[] }> {
  const stream = new PassThrough();
  const frames: Frame[] = [];
  const errors: Error[] = [];
  readFrames(
    stream,
    limits,
    (frame) => frames.push(frame),
    (error) => errors.push(error),
  );
  for (let start = 0; start < bytes.length; start += pieceBytes)
    stream.write(bytes.subarray(start, start + pieceBytes));
  stream.end();
  await new Promise((resolve) => stream.once('end', resolve));
  return { frames, errors };
}

function written(...frames: [head: object, body?: Buffer][]): Buffer {
  const stream = new PassThrough();
  for (const [head, body] of frames) writeFrame(stream, head, body);
  return stream.read() as Buffer;
}

function withLengths(head: number, body: number, rest = ''): Buffer {
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32LE(head, 0);
  lengths.writeUInt32LE(body, 4);
  return Buffer.concat([lengths, Buffer.from(rest)]);
}

describe('readFrames', () => {
  it.each([1, 3, 7, 10_000])(
    'should read what was written when it arrives in pieces of %d bytes',
    async (pieceBytes) => {
      const bytes = written([{ kind: 'one' }, Buffer.from('body')], [{ kind: 'two' }], [{}, Buffer.alloc(1_000, 7)]);
      const { frames, errors } = await read(bytes, pieceBytes);
      expect(frames.map(({ head, body }) => [head, body.length])).toEqual([
        [{ kind: 'one' }, 4],
        [{ kind: 'two' }, 0],
        [{}, 1_000],
      ]);
      expect(frames[0]?.body.toString()).toBe('body');
      expect(errors).toEqual([]);
    },
  );

  it.each([
    ['a head', withLengths(101, 0)],
    ['a body', withLengths(2, 1_001)],
    ['four gigabytes', withLengths(2, 0xffff_ffff)],
  ])('should reject %s beyond its limit before it arrives', async (_, start) => {
    const { frames, errors } = await read(Buffer.concat([start, written([{ kind: 'late' }])]));
    expect(errors).toHaveLength(1);
    expect(errors[0]?.message).toMatch(/^A message of \d+ and \d+ bytes is not allowed\.$/);
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

import { Transform, type TransformCallback } from 'node:stream';

/**
 * Passes a stream on, all but its last chunk: that one waits until `isReady` has come true. Who has received the
 * whole stream therefore knows that it has; when it rejects, the stream fails and never ends.
 */
export function holdBackLastChunk(isReady: () => Promise<void>): Transform {
  let held: Buffer | undefined;
  return new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      if (chunk.length === 0) return done();
      const previous = held;
      held = chunk;
      done(null, previous);
    },
    flush(done: TransformCallback) {
      isReady().then(() => done(null, held), done);
    },
  });
}

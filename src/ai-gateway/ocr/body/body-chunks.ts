import type { IncomingMessage } from 'node:http';
import { AppError } from '../../../common/errors/app-error.js';
import { TurnBudget } from '../../../common/event-loop-turn.js';
import { errorCode } from '../../../common/errors/error-facts.js';

/** A client that sends nothing for so long is hung up on. */
const stallMilliseconds = 20_000;

/** How Node says that the client has gone, during the body or before it was looked at. */
const cutOffCodes: ReadonlySet<string | undefined> = new Set(['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE']);

/**
 * The chunks of a body as they arrive, with a turn of the event loop between large ones. When the reader stops early,
 * the rest is left unread and the connection open, since the response goes through it.
 *
 * @throws AppError 400 when the body ends early or stops arriving
 */
export async function* chunksOf(body: IncomingMessage, silenceMilliseconds = stallMilliseconds) {
  const stopWatching = hangUpOnSilence(body, silenceMilliseconds);
  const turns = new TurnBudget();
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      await turns.spend(chunk.length);
      yield chunk;
    }
  } catch (error) {
    if (cutOffCodes.has(errorCode(error))) throw new AppError('malformed-request', 'The body was cut off.');
    throw error;
  } finally {
    stopWatching();
  }
}

/**
 * Hangs up on a client that stops sending its body.
 *
 * @returns ends the watch; to be called once the body is there
 */
export function hangUpOnSilence(body: IncomingMessage, silenceMilliseconds = stallMilliseconds): () => void {
  body.setTimeout(silenceMilliseconds, () =>
    body.destroy(new AppError('malformed-request', 'The body stopped arriving.')),
  );
  return () => void body.setTimeout(0);
}

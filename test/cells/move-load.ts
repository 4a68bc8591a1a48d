import { setTimeout as delay } from 'node:timers/promises';
import type { CreatedKey } from '../factories/api-keys.js';
import { generationBody, type SeenResponse, sendGeneration } from '../setup/generation-request.js';
import { scripted } from '../setup/generation-upstream/script.js';

type Side = 'source' | 'target';

/** A request, and what its client saw. Times are from `performance.now()`. */
export interface MovedRequest {
  key: CreatedKey;
  side: Side;
  sentAt: number;
  endedAt: number;
  seen: SeenResponse;
}

interface Load {
  keys: readonly CreatedKey[];
  /** Several replicas of the source, and the target. */
  urls: Record<Side, readonly string[]>;
  /** Whether clients keep sending. */
  goesOn: () => boolean;
}

/** How many clients use each key. */
const clientsPerKey = 3;

/** Clients use keys until told to stop: in the source until it names the target. Every third stream takes seconds. */
export async function sendLoad({ keys, urls, goesOn }: Load): Promise<MovedRequest[]> {
  const requests: MovedRequest[] = [];
  let count = 0;
  const client = async (key: CreatedKey) => {
    let side: Side = 'source';
    while (goesOn()) {
      const number = ++count;
      const url = urls[side][number % urls[side].length] ?? '';
      const sentAt = performance.now();
      const seen = await sendGeneration({ url, dialect: 'chat/completions', key: key.key, body: bodyOf(key, number) });
      requests.push({ key, side, sentAt, endedAt: performance.now(), seen });
      if (seen.status === 421) side = 'target';
      if (seen.status !== 200) await delay(50);
    }
  };
  await Promise.all(keys.flatMap((key) => Array.from({ length: clientsPerKey }, () => client(key))));
  return requests;
}

function bodyOf(key: CreatedKey, number: number): object {
  const isLong = number % 3 === 0;
  const script = { tokens: isLong ? 60 : 5, delayMilliseconds: isLong ? 40 : 2, label: `${key.id} ${number}` };
  return generationBody('chat/completions', 'mini', scripted(script), { max_tokens: 80, stream: number % 2 === 0 });
}

export const accepted = (requests: readonly MovedRequest[], side: Side) =>
  requests.filter((request) => request.side === side && request.seen.status === 200);

export const unavailable = (requests: readonly MovedRequest[]) => requests.filter(({ seen }) => seen.status === 503);

import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { LoggedRequest } from '../../src/usage/requests/logged-request.js';

interface Fields extends Partial<LoggedRequest> {
  /** Whether the client has chosen an id of the greatest length, which doesn't compress well. */
  hasLongId?: boolean;
}

/** A request with amounts that differ from others, by default a successful one that has just arrived. */
export function exampleRequest({ hasLongId = false, ...fields }: Fields = {}): LoggedRequest {
  return {
    occurredAt: new Date(),
    route: 'POST /v1/chat/completions',
    model: 'gpt-5-mini',
    status: 200,
    outcome: 'success',
    milliseconds: randomInt(100_000) / 10,
    address: `203.0.113.${randomInt(256)}`,
    requestId: hasLongId ? randomBytes(96).toString('base64url') : randomUUID(),
    cost: BigInt(randomInt(100_000_000)),
    used: { inputTokens: randomInt(10_000), cachedInputTokens: randomInt(1000), outputTokens: randomInt(2000) },
    ...fields,
  };
}

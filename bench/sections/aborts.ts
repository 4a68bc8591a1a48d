import { defaultModels } from '../../src/ai-gateway/models/default-models.js';
import { maxLimit } from '../../src/common/rules/limit-rules.js';
import type { Limit } from '../../src/limits/limit.js';
import { abortRequests } from '../../test/limits/abort-request.js';
import { waitFor } from '../../test/setup/wait-for.js';
import type { BenchDatabase } from '../data/bench-database.js';
import { insertKnownKeys, limitKeys } from '../data/keys.js';
import { withChildren } from '../processes/child.js';
import { type Row, valueRow } from '../row.js';
import type { KeycardSettings, Listening } from '../servers/keycard.js';
import { mockModel } from '../data/embeddings-requests.js';

const count = 100_000;
const atOnce = 64;
const scripts = {
  upstream: new URL('../servers/mock-upstream.js', import.meta.url),
  service: new URL('../servers/keycard.js', import.meta.url),
};
const limits: Limit[] = [
  { metric: 'tokens', per: 'day', max: maxLimit },
  { metric: 'pages', per: 'day', max: maxLimit },
];

/** Aborts requests at random points of every route. */
export function measureAborts({ client, connection }: BenchDatabase): Promise<Row[]> {
  return withChildren(scripts, async ({ upstream, service }) => {
    const [key = '', ...others] = await insertKnownKeys(client);
    await limitKeys(client, [key, ...others], limits);
    const model = { ...mockModel((await upstream.run<Listening>({})).url), id: 'small' };
    const settings: KeycardSettings = { database: connection, models: [...defaultModels(), model] };
    const { url } = await service.run<Listening>(settings);
    await abortRequests(url, key, { count, atOnce });
    const reserved = async () => {
      const { rows } = await client.query<{ sum: number }>(
        'select coalesce(sum(reserved + reserved_before), 0)::int as sum from limit_counters',
      );
      return rows[0]?.sum ?? 0;
    };
    // Those that were running.
    await waitFor(async () => (await reserved()) === 0).catch(() => undefined);
    return [
      valueRow(
        {
          what: `Reserved after ${count.toLocaleString('en-US')} aborted requests`,
          explanation: `Requests of every route with a key that has limits on tokens and pages, aborted at a random byte or up to 40 ms later, ${atOnce} at a time, half of them pipelined.`,
        },
        await reserved(),
        0,
        'tokens and pages',
      ),
    ];
  });
}

import type { Limit } from '../../src/limits/limit.js';
import { createApiKey, type CreatedKey } from '../factories/api-keys.js';
import { readCounters, setLimits } from '../factories/limits.js';
import { createMember, type Member } from '../factories/organizations.js';
import { generationBody, type SeenResponse, sendGeneration } from '../setup/generation-request.js';
import { scripted } from '../setup/generation-upstream/script.js';
import type { TestApp } from '../setup/test-app.js';
import { useStarted } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';
import { type Cells, startCells } from './cells.js';

const cells: Cells = useStarted(startCells);
let member: Member;
let key: CreatedKey;

beforeEach(async () => {
  member = await createMember(cells.source);
  key = await createApiKey(cells.source, member);
});

/** A request that uses 40 tokens. */
const send = ({ url }: TestApp, delayMilliseconds: number) =>
  sendGeneration({
    url,
    dialect: 'chat/completions',
    key: key.key,
    body: generationBody('chat/completions', 'mini', scripted({ tokens: 30, input: 10, delayMilliseconds }), {
      max_tokens: 50,
      stream: true,
    }),
  });

/** What a request reserves of a budget in tokens. */
async function measureReservation(): Promise<number> {
  await setLimits(cells.source, { keyId: key.id }, [{ metric: 'tokens', per: 'day', max: 1_000_000 }]);
  const running = send(cells.source, 20);
  await waitFor(() => cells.upstream.countOpen() === 1);
  const { 'tokens/day': [, reserved] = [0, 0] } = await readCounters(cells.source, key.id);
  await running;
  return reserved;
}

/** Moves the organization while a request of 4.5 seconds runs in the source. */
async function moveWhileRunning(limits: Limit[], check: () => Promise<void>): Promise<SeenResponse> {
  if (limits.length > 0) await setLimits(cells.source, { keyId: key.id }, limits);
  const running = send(cells.source, 150);
  await waitFor(() => cells.upstream.countOpen() === 1);
  const moving = cells.move(member.organizationId, '--drain-seconds', '12');
  await waitFor(async () => {
    const [move] = await cells.target.query<{ state: string }>(
      'select state from organization_moves where organization_id = $1',
      [member.organizationId],
    );
    return move?.state === 'draining';
  });
  expect(cells.upstream.countOpen()).toBe(1);
  await check();
  const seen = await running;
  await moving;
  return seen;
}

describe('A request that runs in the source while its organization moves', () => {
  it('should keep its place among the running requests of its key, until it ends', async () => {
    const seen = await moveWhileRunning([{ metric: 'concurrency', max: 1 }], async () => {
      expect((await send(cells.target, 0)).status).toBe(429);
    });
    expect(seen).toMatchObject({ status: 200, isWhole: true });
    expect((await send(cells.target, 0)).status).toBe(200);
    expect(await readCounters(cells.target, key.id)).toEqual({ 'concurrency/': [0, 0] });
  });

  it('should keep what it has reserved of a budget, and then be charged what it used', async () => {
    // Less than two requests reserve, and enough for one after the other.
    const max = Math.floor(1.5 * (await measureReservation()));
    const seen = await moveWhileRunning([{ metric: 'tokens', per: 'day', max }], async () => {
      expect((await send(cells.target, 0)).status).toBe(429);
    });
    expect(seen).toMatchObject({ status: 200, isWhole: true });
    expect(await readCounters(cells.target, key.id)).toEqual({ 'tokens/day': [40, 0] });
    expect((await send(cells.target, 0)).status).toBe(200);
    expect(await readCounters(cells.target, key.id)).toEqual({ 'tokens/day': [80, 0] });
  });

  it('should be charged in limits that refill', async () => {
    await moveWhileRunning([{ metric: 'tokens', per: 'hour', max: 1000 }], () => Promise.resolve());
    const [counter] = await cells.target.query<{ level: number }>(
      'select level from limit_counters where owner_id = $1',
      [key.id],
    );
    // It refills by a token in 3.6 seconds.
    expect(counter?.level).toBeLessThanOrEqual(40);
    expect(counter?.level).toBeGreaterThan(20);
  });

  it('should have its usage counted in the target once', async () => {
    await moveWhileRunning([], () => Promise.resolve());
    const usage = await cells.target.query(
      'select sum(requests)::integer as requests, sum(output_tokens)::integer as output from usage where api_key_id = $1',
      [key.id],
    );
    expect(usage).toEqual([{ requests: 1, output: 30 }]);
    const chunks = await cells.target.query('select count from request_chunks where api_key_id = $1', [key.id]);
    expect(chunks).toEqual([{ count: 1 }]);
  });
});

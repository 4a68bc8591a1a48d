import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { DataSource } from 'typeorm';
import { createApiKey, type CreatedKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { builtProgram } from '../setup/built-service.js';
import { call } from '../setup/call.js';
import { generationBody, sendGeneration } from '../setup/generation-request.js';
import { scripted } from '../setup/generation-upstream/script.js';
import type { TestApp } from '../setup/test-app.js';
import { toUrl } from '../setup/test-database.js';
import { useStarted } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';
import { type Cells, setClosedSince, startCells } from './cells.js';

const cells: Cells = useStarted(startCells);
let member: Member;
let key: CreatedKey;

beforeEach(async () => {
  builtProgram('admin');
  member = await createMember(cells.source);
  key = await createApiKey(cells.source, member);
});

/** Starts the command in a process of its own. */
function startCommand(drainSeconds: number) {
  const { source, target, auditSigningKey } = cells;
  const words = ['move-organization', member.organizationId, '--to', toUrl(target.database)];
  const child = spawn(process.execPath, [builtProgram('admin'), ...words, '--drain-seconds', String(drainSeconds)], {
    env: { PATH: process.env['PATH'], DATABASE_URL: toUrl(source.database), AUDIT_SIGNING_KEY: auditSigningKey },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const errors = text(child.stderr);
  const ended = once(child, 'exit').then(async ([code, signal]: unknown[]) => ({ code, signal, errors: await errors }));
  return { child, ended };
}

/** A process that was killed runs nothing any more, but its statements may still wait. */
async function waitForSessions({ query }: TestApp): Promise<void> {
  const find = `select from pg_stat_activity where datname = current_database() and application_name = 'keycard move'`;
  await waitFor(async () => (await query(find)).length === 0);
}

/**
 * Kills the command once the source is in a state.
 *
 * @throws Error if the command ends before
 */
async function killIn(state: string): Promise<void> {
  const { child, ended } = startCommand(900);
  const reached = waitFor(async () => {
    const [move] = await cells.source.query<{ state: string }>(
      'select state from organization_moves where organization_id = $1',
      [member.organizationId],
    );
    return move?.state === state;
  });
  const early = await Promise.race([reached, ended]);
  if (early !== undefined) throw new Error(`The command ended: ${early.errors}`);
  child.kill('SIGKILL');
  expect(await ended).toMatchObject({ code: null, signal: 'SIGKILL' });
  await setClosedSince(cells.source, member.organizationId, 'infinity');
}

/** Runs `work` while a statement in a cell locks what the command needs next. */
async function whileLocked(cell: TestApp, statement: string, work: () => Promise<void>): Promise<void> {
  const runner = cell.app.get(DataSource).createQueryRunner();
  await runner.startTransaction();
  try {
    await runner.query(`set local idle_in_transaction_session_timeout = 0; ${statement}`);
    await work();
  } finally {
    await runner.rollbackTransaction();
    await runner.release();
  }
  for (const each of [cells.source, cells.target]) await waitForSessions(each);
}

const send = ({ url }: TestApp, delayMilliseconds = 0) =>
  sendGeneration({
    url,
    dialect: 'chat/completions',
    key: key.key,
    body: generationBody('chat/completions', 'mini', scripted({ tokens: 30, delayMilliseconds }), {
      max_tokens: 50,
      stream: true,
    }),
  });

const statusOf = async ({ url }: TestApp) => (await call(url, 'GET /v1/models', { token: key.key })).status;
const statuses = async () => [await statusOf(cells.source), await statusOf(cells.target)];

describe('The process of move-organization', () => {
  it('should lose nothing and never have both cells accept a key, killed in each phase and run again', async () => {
    const { source, target, upstream } = cells;
    await send(source);
    // Keeps the command from copying packed usage.
    await whileLocked(source, 'select pg_advisory_xact_lock(7402118355)', () => killIn('copying'));
    expect(await statuses()).toEqual([200, 401]);

    const running = send(source, 300);
    await waitFor(() => upstream.countOpen() === 1);
    // Keeps the command from adding accounts, while no cell serves.
    await whileLocked(target, 'lock table users in share mode', () => killIn('switching'));
    expect(await statuses()).toEqual([503, 503]);

    await killIn('draining');
    for (const cell of [source, target]) await waitForSessions(cell);
    expect(await statuses()).toEqual([421, 200]);
    await send(target);
    expect(await running).toMatchObject({ status: 200, isWhole: true });

    expect(await startCommand(1).ended).toMatchObject({ code: 0 });
    expect(await statuses()).toEqual([421, 200]);
    const usage = await target.query<{ requests: number; output: number }>(
      `select sum(requests)::integer as requests, sum(output_tokens)::integer as output from usage where api_key_id = $1`,
      [key.id],
    );
    expect(usage).toEqual([{ requests: 3, output: 90 }]);
    for (const table of ['usage', 'api_keys', 'memberships'])
      expect(await source.query(`select from ${table} where organization_id = $1`, [member.organizationId])).toEqual(
        [],
      );
    for (const cell of [source, target]) expect(await cells.run(cell, 'audit', 'verify')).toMatch(/^Verified/);
  }, 60_000);
});

import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { lookAtHistory, type RememberedRow, type Verdict } from '../../src/database/history/history-queries.js';
import { RetentionService } from '../../src/retention/retention.service.js';
import { useReplicas } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';

const [service] = useReplicas();

interface Row {
  beat: number;
  token: string;
}

const readRows = () => service.query<Row>('select beat::float8 as beat, token from database_history order by beat');

describe('A database', () => {
  /** A replica's connection, in a transaction that is rolled back. */
  let client: pg.Client;
  let remembered: RememberedRow;
  beforeAll(async () => {
    client = new pg.Client(service.database);
    await client.connect();
    await waitFor(async () => (await readRows()).length >= 3);
  });
  afterAll(() => client.end());
  beforeEach(async () => {
    await client.query('begin; set transaction isolation level repeatable read');
    const { rows } = await client.query<RememberedRow>(
      `select id as "databaseId", generation::float8 as generation, beat::float8 as beat, token
       from database_identity, database_history order by beat desc limit 1`,
    );
    const [newest] = rows;
    if (newest === undefined) throw new Error('The history is empty.');
    remembered = newest;
  });
  afterEach(() => client.query('rollback'));

  it.each<[title: string, verdict: Verdict, change: string, memory: (row: RememberedRow) => RememberedRow | undefined]>(
    [
      ['should be known if it has the remembered row', 'known', '', (row) => row],
      ['should be unknown to a replica that remembers nothing', 'unknown', '', () => undefined],
      ['should be unknown if it is another one', 'unknown', '', (row) => ({ ...row, databaseId: randomUUID() })],
      ['should be lost without the remembered row', 'lost', '', (row) => ({ ...row, beat: row.beat + 1 })],
      ['should be lost if it has another row in its place', 'lost', '', (row) => ({ ...row, token: randomUUID() })],
      ['should be lost without any row', 'lost', 'delete from database_history', (row) => row],
      [
        'should be lost if another replica missed a row',
        'lost',
        'update database_identity set lost_at = now()',
        () => undefined,
      ],
      [
        'should be unknown once its history was accepted',
        'unknown',
        'update database_identity set generation = generation + 1; delete from database_history',
        (row) => row,
      ],
      [
        'should be lost if it was accepted less often than the replica knows',
        'lost',
        '',
        (row) => ({ ...row, generation: row.generation + 1 }),
      ],
      [
        'should be unknown to a replica that was away for longer than its history is kept',
        'unknown',
        `insert into database_history (beat, token, server_started_at)
       select max(beat) + 700000, gen_random_uuid(), now() from database_history;
       delete from database_history where beat < 700000`,
        (row) => row,
      ],
    ],
  )('%s', async (_title, verdict, change, memory) => {
    if (change !== '') await client.query(change);
    expect((await lookAtHistory(client, memory(remembered))).verdict).toBe(verdict);
  });
});

describe('The history', () => {
  it('should get one row per second from all replicas together', async () => {
    const before = (await readRows()).length;
    await waitFor(async () => (await readRows()).length >= before + 3);
    const gaps = await service.query<{ seconds: number }>(
      `select extract(epoch from written_at - lag(written_at) over (order by beat))::float8 as seconds
       from database_history`,
    );
    for (const { seconds } of gaps.slice(1)) expect(seconds).toBeGreaterThanOrEqual(0.9);
  });

  it('should be kept for a week', async () => {
    await service.query(
      `insert into database_history (beat, token, server_started_at)
       select -604800 + number, gen_random_uuid(), pg_postmaster_start_time()
       from (select max(beat) as newest from database_history) as history,
         lateral unnest(array[newest - 100, newest + 100]) as number`,
    );
    await service.app.get(RetentionService).run();
    const left = await service.query<{ beat: number }>(
      'select beat::float8 as beat from database_history where beat < 1',
    );
    expect(left).toHaveLength(1);
  });
});

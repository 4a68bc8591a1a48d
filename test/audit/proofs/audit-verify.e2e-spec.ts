import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { AuditKey, toAuditKeys } from '../../../src/audit/proofs/audit-key.js';
import { AuditTreesService } from '../../../src/audit/proofs/audit-trees.service.js';
import {
  type Checkpoint,
  installationTree,
  parseCheckpoint,
  splitCheckpoints,
} from '../../../src/audit/proofs/checkpoint.js';
import { GrowingTree, hashLeaf } from '../../../src/audit/proofs/merkle-tree.js';
import { canonicalEvent, type ProvenEventRow, provenEventColumns } from '../../../src/audit/proofs/proven-event.js';
import { signAuditLog } from '../../../src/audit/proofs/sign-audit-log.js';
import type { Finding } from '../../../src/audit/proofs/verify/finding.js';
import { verifyLog } from '../../../src/audit/proofs/verify/verify-log.js';
import { insertAuditEvents } from '../../factories/audit-log.js';
import { auditSeeds, auditSigningKeys, hashEvents, signedApp } from '../../factories/audit-proofs.js';
import { createMember } from '../../factories/organizations.js';
import { call } from '../../setup/call.js';
import { runAdminWith, spawnAdmin } from '../../setup/run-admin.js';
import { makeTemporaryFolder, type TemporaryFolder } from '../../setup/temporary-folder.js';
import { startTestApp } from '../../setup/test-app.js';
import { createTestDatabase, type TestDatabase, toUrl } from '../../setup/test-database.js';
import { manipulations } from './manipulations.js';

const keys = toAuditKeys(auditSigningKeys);
const seed = Math.floor(Math.random() * 2 ** 31);

let database: TestDatabase;
let client: pg.Client;
let folder: TemporaryFolder;
/** Of the longest tree. */
let treeId: string;
/** Kept elsewhere. */
let file: string;
let kept: Checkpoint[];

/** Two organizations and the installation, with checkpoints at several sizes. */
async function fillLog(): Promise<void> {
  const app = await startTestApp({ ...signedApp(), database: database.connection });
  const [first, second] = [await createMember(app), await createMember(app)];
  treeId = first.organizationId;
  const nobody = { ...first, organizationId: null };
  let number = 0;
  for (const [owner, count] of [
    [first, 1],
    [second, 3],
    [nobody, 2],
    [first, 40],
    [second, 2],
    [first, 240],
  ] as const) {
    const events = Array.from({ length: count }, () => {
      number++;
      return {
        targetName: `Event ${number}`,
        targetId: `01936f5e-7b1c-7cc3-98c4-${String(number).padStart(12, '0')}`,
        occurredAt: new Date(Date.now() + number),
        ...(number % 3 === 0 && { before: { name: number }, after: { name: `“${number}”` } }),
      };
    });
    await insertAuditEvents(app, owner, events);
    await hashEvents(app);
    for (const { token } of [first, second]) await call(app.url, 'GET /audit-events/checkpoint', { token });
    await app.app.get(AuditTreesService).signGrownTrees();
  }
  await app.stop();
}

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await makeTemporaryFolder();
  await fillLog();
  const text = await signAuditLog(database.connection, auditSigningKeys);
  kept = splitCheckpoints(text).flatMap((note) => parseCheckpoint(note) ?? []);
  file = path.join(folder.path, 'kept.checkpoints');
  await writeFile(file, text);
  client = new pg.Client(database.connection);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await folder.remove();
  await database.drop();
});

const manager = {
  query: async <Row>(sql: string, values?: unknown[]) => (await client.query(sql, values)).rows as Row,
};

const verify = (checkpoints = kept, ownKeys = keys) => verifyLog(manager, ownKeys, checkpoints);

/** Verifies the log after a manipulation by the owner of the tables, and takes it back. */
async function verifyAfter(manipulate: () => Promise<unknown>, checkpoints = kept, ownKeys = keys): Promise<Finding[]> {
  await client.query('begin');
  try {
    for (const table of ['audit_events', 'audit_leaves', 'audit_nodes', 'audit_checkpoints']) {
      await client.query(`alter table ${table} disable trigger user`);
      await client.query(`grant update, delete, truncate on ${table} to current_user`);
    }
    await client.query(`alter table audit_events drop constraint "FK_6510e4bf7423cd3d750e8c2ae81"`);
    await manipulate();
    return (await verify(checkpoints, ownKeys)).findings;
  } finally {
    await client.query('rollback');
  }
}

async function eventAt(index: number): Promise<string> {
  const [leaf] = await manager.query<{ id: string }[]>(
    'select event_id as id from audit_leaves where tree_id = $1 and index = $2',
    [treeId, index],
  );
  return leaf?.id ?? '';
}

/** Makes the tree that results from events consistent, as an attacker without the key would. */
async function forgeTree(eventIds: string[], { seals = false } = {}): Promise<void> {
  const events = await manager.query<ProvenEventRow[]>(
    `select ${provenEventColumns} from audit_events where organization_id = $1`,
    [treeId],
  );
  const byId = new Map(events.map((event) => [event.id, event]));
  const leaves = await manager.query<{ position: string; seal: Buffer }[]>(
    'select position, seal from audit_leaves where tree_id = $1 order by index',
    [treeId],
  );
  await client.query('delete from audit_leaves where tree_id = $1', [treeId]);
  await client.query('delete from audit_nodes where tree_id = $1', [treeId]);
  const tree = GrowingTree.empty();
  for (const [index, id] of eventIds.entries()) {
    const event = byId.get(id);
    if (event === undefined) throw new Error(`${id} is no event.`);
    const hash = hashLeaf(canonicalEvent(event));
    const { position, seal } = leaves[index] ?? {};
    await client.query(
      `insert into audit_leaves (tree_id, index, position, event_id, occurred_at, leaf_hash, seal)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [treeId, index, position, id, event.occurredAt, hash, seals ? seal : null],
    );
    const nodes: [number, number, Buffer][] = [];
    tree.append(hash, 0, ({ level, index: place }, node) => nodes.push([level, place, node]));
    for (const [level, place, node] of nodes.filter(([height]) => height % 8 === 0)) {
      await client.query('insert into audit_nodes values ($1, $2, $3, $4)', [treeId, level, place, node]);
    }
  }
  await client.query('update audit_trees set size = $2, edge = $3 where id = $1', [treeId, tree.size, tree.edge]);
  // Without it, the seals seem to begin later.
  if (!seals) await client.query('delete from audit_state');
}

/** Removes the checkpoints that show the truth. */
async function forgetCheckpoints(size = -1): Promise<void> {
  await client.query('delete from audit_checkpoints where tree_id = $1 and size > $2', [treeId, size]);
  await client.query(
    `update audit_trees set checkpoints = (select count(*) from audit_checkpoints where tree_id = id),
       checkpoint_size = coalesce((select max(size) from audit_checkpoints where tree_id = id), 0),
       checkpointed_at = (select split_part(split_part(note, 'Time: ', 2), chr(10), 1)::timestamptz
                          from audit_checkpoints where tree_id = id order by number desc limit 1)
     where id = $1`,
    [treeId],
  );
}

const eventIds = async () => {
  const rows = await manager.query<{ id: string }[]>(
    'select event_id as id from audit_leaves where tree_id = $1 order by index',
    [treeId],
  );
  return rows.map(({ id }) => id);
};

describe('The audit log', () => {
  it('should verify as long as no one manipulates it', async () => {
    expect(await verify()).toMatchObject({ trees: 3, leaves: 288, deleted: 0, pending: 0, findings: [] });
    expect(await verify([], [])).toMatchObject({ leaves: 288, findings: [] });
  });
});

/** Each of the thousand reads the whole log. */
const manipulationsTimeoutMilliseconds = 300_000;

describe(`A manipulation by the owner of the tables (seed ${seed})`, () => {
  it(
    'should be found, whichever of 1,000 it is',
    async () => {
      let applied = 0;
      await fc.assert(
        fc.asyncProperty(manipulations, async ({ title, apply }) => {
          let hasChanged = true;
          const findings = await verifyAfter(async () => {
            hasChanged = await apply(client);
          });
          fc.pre(hasChanged);
          applied++;
          if (findings.length === 0) throw new Error(`Not found: ${title}`);
        }),
        { seed, numRuns: 1000, maxSkipsPerRun: 100, endOnFailure: true },
      );
      expect(applied).toBeGreaterThanOrEqual(1000);
    },
    manipulationsTimeoutMilliseconds,
  );
});

describe('The first manipulated event', () => {
  const expectFirst = (findings: Finding[], expected: Partial<Finding>) => expect(findings[0]).toMatchObject(expected);

  it.each([
    ['after all', { targetName: 'Another' }],
    ['with a value that looks the same', { targetName: 'Event\u00a0107' }],
  ])('should be named if it was changed %s', async (_title, { targetName }) => {
    const eventId = await eventAt(100);
    const findings = await verifyAfter(() =>
      client.query('update audit_events set target_name = $2 where id = $1', [eventId, targetName]),
    );
    expectFirst(findings, { treeId, manipulation: 'changed', eventId, index: 100 });
  });

  it('should be named if it was changed together with its leaf and the tree', async () => {
    const eventId = await eventAt(100);
    const findings = await verifyAfter(async () => {
      await client.query(`update audit_events set target_name = 'Another' where id = $1`, [eventId]);
      await forgeTree(await eventIds(), { seals: true });
    });
    expectFirst(findings, { treeId, manipulation: 'changed', eventId, index: 100 });
  });

  it('should be named if it was removed', async () => {
    const eventId = await eventAt(7);
    const findings = await verifyAfter(() => client.query('delete from audit_events where id = $1', [eventId]));
    expectFirst(findings, { treeId, manipulation: 'removed', eventId, index: 7 });
  });

  it('should be located if it was removed together with its leaf', async () => {
    const eventId = await eventAt(7);
    const findings = await verifyAfter(async () => {
      await client.query('delete from audit_events where id = $1', [eventId]);
      await client.query('delete from audit_leaves where event_id = $1', [eventId]);
    });
    expectFirst(findings, { treeId, manipulation: 'removed', index: 7 });
    expect(findings[0]?.text).toContain(await eventAt(6));
  });

  it('should be named if it was inserted past the log', async () => {
    const eventId = '01936f5e-7b1c-7cc3-98c4-dc0c0c07398f';
    const findings = await verifyAfter(() =>
      client.query(
        `insert into audit_events (id, organization_id, action, address, target_kind) values ($1, $2, 'sign-in', '::1', 'user')`,
        [eventId, treeId],
      ),
    );
    expectFirst(findings, { treeId, manipulation: 'inserted', eventId });
  });

  it('should be named if it was added with a time before the last checkpoint', async () => {
    const app = await startTestApp(signedApp());
    try {
      const owner = await createMember(app);
      const occurredAt = new Date(Date.now() - 2 * 60 * 60_000);
      await insertAuditEvents(app, owner, [{ occurredAt }]);
      await call(app.url, 'GET /audit-events/checkpoint', { token: owner.token });
      const [eventId] = await insertAuditEvents(app, owner, [{ occurredAt }]);
      await hashEvents(app);
      const { findings } = await verifyLog(app.app.get(DataSource).manager, keys, []);
      expectFirst(findings, { treeId: owner.organizationId, manipulation: 'inserted', eventId, index: 1 });
    } finally {
      await app.stop();
    }
  });

  it('should be named if it was moved', async () => {
    const [third = '', fourth = ''] = [await eventAt(3), await eventAt(4)];
    const findings = await verifyAfter(async () => {
      await client.query('update audit_leaves set index = -1 where event_id = $1', [third]);
      await client.query('update audit_leaves set index = 3 where event_id = $1', [fourth]);
      await client.query('update audit_leaves set index = 4 where event_id = $1', [third]);
    });
    expectFirst(findings, { treeId, manipulation: 'reordered', eventId: fourth, index: 3 });
  });

  it('should be named if the log was cut off, even if nothing in the database shows it', async () => {
    const manipulate = async () => {
      const ids = await eventIds();
      await client.query('delete from audit_leaves where tree_id = $1 and index >= 30', [treeId]);
      await client.query('delete from audit_events where id = any ($1)', [ids.slice(30)]);
      const tree = GrowingTree.empty();
      const leaves = await manager.query<{ hash: Buffer }[]>(
        'select leaf_hash as hash from audit_leaves where tree_id = $1 order by index',
        [treeId],
      );
      for (const { hash } of leaves) tree.append(hash);
      await client.query('delete from audit_nodes where tree_id = $1', [treeId]);
      await client.query('update audit_trees set size = $2, edge = $3 where id = $1', [treeId, 30, tree.edge]);
      await forgetCheckpoints(30);
    };
    expect(await verifyAfter(manipulate, [])).toEqual([]);
    const findings = await verifyAfter(manipulate);
    expectFirst(findings, { treeId, manipulation: 'cut off', index: 30 });
    expect(findings[0]?.text).toContain(await eventAt(29));
  });

  it('should be noticed if everything about an organization was removed', async () => {
    const findings = await verifyAfter(async () => {
      await client.query('delete from audit_events where organization_id = $1', [treeId]);
      for (const table of ['audit_leaves', 'audit_nodes', 'audit_checkpoints']) {
        await client.query(`delete from ${table} where tree_id = $1`, [treeId]);
      }
      await client.query('delete from audit_trees where id = $1', [treeId]);
    });
    expectFirst(findings, { treeId, manipulation: 'cut off', index: 0 });
  });

  it('should be named if it was removed from the queue before it was hashed', async () => {
    const eventId = '01936f5e-7b1c-7cc3-98c4-dc0c0c07398f';
    const findings = await verifyAfter(() => client.query('insert into audit_pending values ($1)', [eventId]));
    expectFirst(findings, { treeId: installationTree, manipulation: 'removed', eventId });
  });
});

describe('A log that was rewritten without the key', () => {
  it.each([
    ['a changed event', (ids: string[]) => ids],
    ['a removed event', (ids: string[]) => ids.toSpliced(50, 1)],
    ['exchanged events', (ids: string[]) => ids.with(50, ids[51] ?? '').with(51, ids[50] ?? '')],
  ])('should be found with %s, without seals by the checkpoint alone', async (_title, rewrite) => {
    const manipulate = async () => {
      const ids = await eventIds();
      await client.query(`update audit_events set target_name = 'Another' where id = $1`, [ids[50]]);
      const written = rewrite(ids);
      await client.query('delete from audit_events where organization_id = $1 and id <> all ($2)', [treeId, written]);
      await forgeTree(written);
      await forgetCheckpoints();
    };
    const [found] = await verifyAfter(manipulate);
    expect(found).toMatchObject({ treeId });
    const [foundByCheckpoint] = await verifyAfter(manipulate, kept, []);
    expect(foundByCheckpoint).toMatchObject({ treeId });
    expect(await verifyAfter(manipulate, [], [])).toEqual([]);
  });

  it('should be located between two checkpoints', async () => {
    const [finding] = await verifyAfter(
      async () => {
        const ids = await eventIds();
        await client.query(`update audit_events set target_name = 'Another' where id = $1`, [ids[20]]);
        await forgeTree(ids);
      },
      kept,
      [],
    );
    expect(finding).toMatchObject({ treeId, manipulation: 'changed', index: 1 });
    expect(finding?.text).toContain('from index 1 to 40');
  });
});

describe('npm run admin -- audit verify', () => {
  const environment = () => ({ DATABASE_URL: toUrl(database.connection), AUDIT_SIGNING_KEY: auditSeeds[0] });

  it('should report what it has verified', async () => {
    const report = await runAdminWith(environment(), 'audit', 'verify', '--checkpoint', file);
    expect(report).toMatch(/^Verified 288 audit events in 3 trees, and \d+ checkpoints\.$/);
  });

  it('should exit with 0, or with 3 and the event if the log was manipulated', async () => {
    const id = await eventAt(12);
    const change = (name: string) => async () => {
      await client.query('alter table audit_events disable trigger user');
      await client.query('update audit_events set target_name = $2 where id = $1', [id, name]);
      await client.query('alter table audit_events enable trigger user');
    };
    const [{ name } = { name: '' }] = await manager.query<{ name: string }[]>(
      'select target_name as name from audit_events where id = $1',
      [id],
    );
    expect(await spawnAdmin(environment(), 'audit', 'verify')).toMatchObject({ code: 0 });
    await client.query('grant update on audit_events to current_user');
    await change('Another')();
    try {
      const { code, printed } = await spawnAdmin(environment(), 'audit', 'verify', '--checkpoint', file);
      expect(printed).toContain(`(${treeId}): Event ${id} (index 12) was changed.`);
      expect(code).toBe(3);
    } finally {
      await change(name)();
      await client.query('revoke update on audit_events from current_user');
    }
  });

  it('should accept checkpoints of a previous key, and reject those of another', async () => {
    const [current, previous, unknown] = auditSeeds;
    const run = (key: string) =>
      runAdminWith({ ...environment(), AUDIT_SIGNING_KEY: key }, 'audit', 'verify', '--checkpoint', file);
    expect(await run(`${previous},${current}`)).toContain('Verified 288 audit events');
    await expect(run(`${previous},${unknown}`)).rejects.toThrow('none of the AUDIT_SIGNING_KEY signed it');
  });

  it('should say what it did not check without a key', async () => {
    const { DATABASE_URL } = environment();
    const report = await runAdminWith({ DATABASE_URL }, 'audit', 'verify', '--checkpoint', file);
    expect(report).toContain('Without AUDIT_SIGNING_KEY, signatures and seals were not checked.');
  });

  it.each([
    ['a missing file', undefined, "can't be read (ENOENT)"],
    ['an empty file', '', 'has no checkpoint'],
    ['another file', 'no checkpoint', 'has something else than a checkpoint'],
  ])('should reject %s', async (_title, content, message) => {
    const other = path.join(folder.path, `${content?.length}.txt`);
    if (content !== undefined) await writeFile(other, content);
    await expect(runAdminWith(environment(), 'audit', 'verify', '--checkpoint', other)).rejects.toThrow(message);
  });

  it('should reject a checkpoint that was changed', async () => {
    const key = new AuditKey(auditSeeds[0]);
    const text = key.signNote(
      `keycard/audit/${treeId}\n1\n${hashLeaf('').toString('base64')}\nTime: 2026-01-31T09:30:00.000Z\n`,
      'x',
    );
    const other = path.join(folder.path, 'changed.checkpoint');
    await writeFile(other, text);
    await expect(runAdminWith(environment(), 'audit', 'verify', '--checkpoint', other)).rejects.toThrow('was changed');
  });
});

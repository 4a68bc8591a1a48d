import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { runAdminWith } from '../setup/run-admin.js';
import type { TestApp } from '../setup/test-app.js';
import { toUrl } from '../setup/test-database.js';
import { useStarted } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';
import { type Cells, moveWith, startCells } from './cells.js';

const cells: Cells = useStarted(startCells);
let member: Member;

beforeEach(async () => {
  member = await createMember(cells.source);
});

const run = (...words: string[]) =>
  runAdminWith(
    { DATABASE_URL: toUrl(cells.source.database), AUDIT_SIGNING_KEY: cells.auditSigningKey },
    'move-organization',
    ...words,
  );

/** The connection that such a replica always has. */
async function startEarlierReplica({ database }: TestApp): Promise<pg.Client> {
  const client = new pg.Client({ ...database, application_name: 'keycard history 1a2b3c4d' });
  await client.connect();
  return client;
}

describe('npm run admin -- move-organization', () => {
  afterEach(async () => {
    const moves = await cells.source.query('select from organization_moves where organization_id = $1', [
      member.organizationId,
    ]);
    expect(moves).toEqual([]);
  });

  it.each([
    ['no target', [], '--to must be the URL of the target database'],
    ['a target that is no PostgreSQL', ['--to', 'https://example.com'], '--to must be the URL of the target database'],
    ['a base URL with a query', ['--base-url', 'https://example.com/?a=b'], '--base-url must be a URL'],
    ['a time that is no number', ['--drain-seconds', '1m'], '--drain-seconds must be a whole number from 0 to 86400.'],
  ])('should refuse %s', async (_what, words, message) => {
    const to = words.includes('--to') || words.length === 0 ? [] : ['--to', toUrl(cells.target.database)];
    await expect(run(member.organizationId, ...to, ...words)).rejects.toThrow(message);
  });

  it('should refuse a target that cannot be reached', async () => {
    await expect(run(member.organizationId, '--to', 'postgresql://nobody@127.0.0.1:1/none')).rejects.toThrow(
      '--to: nothing listens at this host and port',
    );
  });

  it('should refuse a name instead of an id, and unknown ids', async () => {
    await expect(cells.move('Research')).rejects.toThrow('The organization must be an id');
    await expect(cells.move(randomUUID())).rejects.toThrow('No organization has this id.');
  });

  it('should refuse its own database', async () => {
    await expect(run(member.organizationId, '--to', toUrl(cells.source.database))).rejects.toThrow(
      'The target is the same database',
    );
  });

  it('should refuse a target of another release', async () => {
    const { query } = cells.target;
    await query(`insert into migrations (timestamp, name) values (1, 'Later1')`);
    await expect(cells.move(member.organizationId)).rejects.toThrow('has the migration Later1 of another release');
    await query(`delete from migrations where name = 'Later1'`);
  });

  it.each(['source', 'target'] as const)(
    'should refuse a %s that a replica of an earlier release uses',
    async (side) => {
      const replica = await startEarlierReplica(cells[side]);
      await expect(cells.move(member.organizationId)).rejects.toThrow(
        `A replica of an earlier release, which doesn't know about moves, uses the ${side}.`,
      );
      await replica.end();
    },
  );

  it('should refuse to copy a signed audit log without the key', async () => {
    const words = ['move-organization', member.organizationId, '--to', toUrl(cells.target.database)];
    await call(cells.source.url, 'POST /api-keys', { token: member.token, body: { name: 'A key' } });
    const findSeals = 'select from audit_state where sealed_from is not null';
    await waitFor(async () => (await cells.source.query(findSeals)).length > 0);
    await expect(runAdminWith({ DATABASE_URL: toUrl(cells.source.database) }, ...words)).rejects.toThrow(
      'The audit log is signed',
    );
  });

  it('should refuse an organization that the target has', async () => {
    await createMember(cells.target, { organizationId: (await createMember(cells.target)).organizationId });
    const { organizationId } = await createMember(cells.target);
    await cells.source.query(`insert into organizations (id, name) values ($1, 'The same')`, [organizationId]);
    await expect(cells.move(organizationId)).rejects.toThrow('The target has an organization with this id.');
    await cells.move(organizationId, '--cancel');
  });

  it('should refuse keys that another organization of the target has', async () => {
    const { id } = await createApiKey(cells.source, member);
    const other = await createApiKey(cells.target, await createMember(cells.target));
    await cells.source.query('update api_keys set secret_hash = $2 where id = $1', [
      id,
      (
        await cells.target.query<{ hash: Buffer }>('select secret_hash as hash from api_keys where id = $1', [other.id])
      )[0]?.hash,
    ]);
    await expect(cells.move(member.organizationId)).rejects.toThrow('1 of api_keys (secret_hash)');
  });

  it('should refuse to cancel what has not begun', async () => {
    await expect(cells.move(member.organizationId, '--cancel')).rejects.toThrow(
      'This organization is not being moved.',
    );
  });
});

describe('A replica of an earlier release that starts during a move', () => {
  it('should keep the target from serving the organization, which the source still does', async () => {
    const key = await createApiKey(cells.source, member);
    const replicas: pg.Client[] = [];
    const moving = moveWith(cells, member.organizationId, async (step) => {
      if (step === 'closed') replicas.push(await startEarlierReplica(cells.source));
    });
    await expect(moving).rejects.toThrow('A replica of an earlier release');
    const statuses = await Promise.all(
      [cells.source, cells.target].map(({ url }) => call(url, 'GET /v1/models', { token: key.key })),
    );
    expect(statuses.map(({ status }) => status)).toEqual([200, 503]);
    for (const replica of replicas) await replica.end();
    await cells.move(member.organizationId);
  });
});

describe('Accounts of the target with the email of a member', () => {
  const email = () => `${randomUUID()}@example.com`;

  it('should not become members while their email is unverified', async () => {
    const shared = email();
    const own = await createMember(cells.source, { email: shared });
    await createMember(cells.target, { email: shared });
    await expect(cells.move(own.organizationId)).rejects.toThrow(`hasn't verified: ${shared}`);
  });

  it('should become members if the operator says so, and keep their password', async () => {
    const shared = email();
    const own = await createMember(cells.source, { email: shared, passwordHash: 'of the source' });
    const existing = await createMember(cells.target, { email: shared, passwordHash: 'of the target' });
    const key = await createApiKey(cells.source, own);
    await cells.move(own.organizationId, '--match-accounts');
    const members = await cells.target.query(
      'select user_id, password_hash from memberships join users on users.id = user_id where organization_id = $1',
      [own.organizationId],
    );
    expect(members).toEqual([{ user_id: existing.userId, password_hash: 'of the target' }]);
    const [creator] = await cells.target.query('select created_by_id from api_keys where id = $1', [key.id]);
    expect(creator).toEqual({ created_by_id: existing.userId });
  });

  it('should become members if their email is verified', async () => {
    const shared = email();
    const own = await createMember(cells.source, { email: shared });
    const existing = await createMember(cells.target, { email: shared });
    await cells.target.query(
      `update users set email_verified_at = now(), email_verified_by = 'provider' where id = $1`,
      [existing.userId],
    );
    await cells.move(own.organizationId);
    const members = await cells.target.query('select user_id from memberships where organization_id = $1', [
      own.organizationId,
    ]);
    expect(members).toEqual([{ user_id: existing.userId }]);
  });

  it('should not share an identity at the identity provider with another email', async () => {
    const own = await createMember(cells.source);
    const other = await createMember(cells.target);
    const addIdentity = `insert into user_identities (id, user_id, issuer, subject) values (gen_random_uuid(), $1, 'https://idp.example', 'one')`;
    await cells.source.query(addIdentity, [own.userId]);
    await cells.target.query(addIdentity, [other.userId]);
    await expect(cells.move(own.organizationId)).rejects.toThrow('Members sign in as other accounts of the target');
  });
});

import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { entities } from '../../src/entities.js';
import { seedFirstStart } from '../../src/auth/first-start.js';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.js';

const migration = 'EmailVerification';
let database: TestDatabase;
let dataSource: DataSource;

beforeEach(async () => {
  database = await createTestDatabase();
  dataSource = await new DataSource(dataSourceOptions(database.connection, entities)).initialize();
});
afterEach(async () => {
  await dataSource.destroy();
  await database.drop();
});

const verifications = () =>
  dataSource.query<{ name: string; by: string | null; at: Date | null }[]>(
    'select name, email_verified_by as by, email_verified_at as at from users order by name',
  );

/** Reverts migrations down to and including the one for verified emails. */
async function goBack(): Promise<void> {
  const isApplied = async () =>
    (await dataSource.query<unknown[]>('select from migrations where name ~ $1', [`^${migration}`])).length > 0;
  while (await isApplied()) await dataSource.undoLastMigration({ transaction: 'each' });
}

interface OldAccount {
  name: string;
  createdAt: string;
  passwordHash: string | null;
  linkedAt?: string;
}

async function insertAccount({ name, createdAt, passwordHash, linkedAt }: OldAccount): Promise<void> {
  const id = uuidv7();
  await dataSource.query('insert into users (id, email, name, password_hash, created_at) values ($1, $2, $3, $4, $5)', [
    id,
    `${name}@example.com`,
    name,
    passwordHash,
    createdAt,
  ]);
  if (linkedAt === undefined) return;
  await dataSource.query(
    'insert into user_identities (id, user_id, issuer, subject, created_at) values ($1, $2, $3, $4, $5)',
    [uuidv7(), id, 'https://id.example.com', name, linkedAt],
  );
}

const insertOrganization = (createdAt: string) =>
  dataSource.query(`insert into organizations (id, name, created_at) values ($1, 'Default', $2)`, [
    uuidv7(),
    createdAt,
  ]);

describe('The first administrator', () => {
  it('should be created once if replicas start together', async () => {
    const administrator = { email: 'admin@example.com', password: undefined };
    const seeded = await Promise.all([1, 2, 3].map(() => seedFirstStart(dataSource, administrator)));
    expect(seeded.filter((first) => first !== undefined)).toHaveLength(1);
    expect(await verifications()).toHaveLength(1);
  });

  it('should have a verified email', async () => {
    await seedFirstStart(dataSource, { email: 'admin@example.com', password: 'correct horse battery staple' });
    expect(await verifications()).toEqual([
      { name: 'Administrator', by: 'first-administrator', at: expect.any(Date) as Date },
    ]);
  });
});

describe('The migration that records verified emails', () => {
  it('should verify the first administrator and accounts without a password that the provider created', async () => {
    await goBack();
    await insertOrganization('2026-01-01T00:00:00Z');
    await insertAccount({ name: 'first', createdAt: '2026-01-01T00:00:00Z', passwordHash: 'x' });
    await insertAccount({ name: 'invited', createdAt: '2026-01-02T00:00:00Z', passwordHash: 'x' });
    const linkedAt = '2026-01-04T00:00:00Z';
    await insertAccount({ name: 'linked', createdAt: '2026-01-03T00:00:00Z', passwordHash: 'x', linkedAt });
    await insertAccount({ name: 'provided', createdAt: linkedAt, passwordHash: null, linkedAt });
    await dataSource.runMigrations({ transaction: 'each' });
    expect(await verifications()).toEqual([
      { name: 'first', by: 'first-administrator', at: new Date('2026-01-01T00:00:00Z') },
      { name: 'invited', by: null, at: null },
      // It may have been hijacked before it was linked.
      { name: 'linked', by: null, at: null },
      { name: 'provided', by: 'provider', at: new Date(linkedAt) },
    ]);
  });

  it('should not mistake the oldest remaining account for the first administrator', async () => {
    await goBack();
    await insertOrganization('2026-01-01T00:00:00Z');
    await insertAccount({ name: 'invited', createdAt: '2026-01-02T00:00:00Z', passwordHash: 'x' });
    await dataSource.runMigrations({ transaction: 'each' });
    expect(await verifications()).toEqual([{ name: 'invited', by: null, at: null }]);
  });
});

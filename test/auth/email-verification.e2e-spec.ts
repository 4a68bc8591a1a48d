import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { entities } from '../../src/entities.js';
import { seedFirstStart } from '../../src/auth/first-start.js';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.js';

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

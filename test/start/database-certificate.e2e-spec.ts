import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { connectionOf } from '../../src/config/database-connection.js';
import { checkDatabase } from '../../src/database/check-database.js';
import { DatabaseProxy } from '../setup/database-proxy.js';
import { makeTemporaryFolder, type TemporaryFolder } from '../setup/temporary-folder.js';
import { createEmptyDatabase, type TestDatabase } from '../setup/test-database.js';
import { caCertificate, openTlsDatabase, type TlsDatabase } from '../setup/tls-database.js';

let database: TestDatabase;
let server: TlsDatabase;
let folder: TemporaryFolder;
let caFile: string;

beforeAll(async () => {
  database = await createEmptyDatabase();
  server = await openTlsDatabase(database.connection);
  folder = await makeTemporaryFolder();
  caFile = path.join(folder.path, 'ca.pem');
  await writeFile(caFile, caCertificate);
});
afterAll(async () => {
  await server.close();
  await database.drop();
  await folder.remove();
});

function check(parameters: Record<string, string>, host = 'localhost', port = server.port): Promise<void> {
  const { user, password, database: name } = database.connection;
  const url = new URL(`postgresql://${host}:${port}/${name}`);
  Object.assign(url, { username: user, password });
  for (const [parameter, value] of Object.entries(parameters)) url.searchParams.set(parameter, value);
  return checkDatabase(connectionOf(url.href));
}

describe('DATABASE_URL with sslmode=verify-full', () => {
  it('should accept a certificate of the private CA that sslrootcert names', async () => {
    await expect(check({ sslmode: 'verify-full', sslrootcert: caFile })).resolves.toBeUndefined();
  });

  it('should name sslrootcert if the certificate is not trusted', async () => {
    await expect(check({ sslmode: 'verify-full' })).rejects.toThrow(
      /^DATABASE_URL: the server's certificate is not trusted \([^)]+\)\. If a private CA .*&sslrootcert=\/path\/to\/ca\.pem\.$/,
    );
  });

  it('should reject a certificate for another host name', async () => {
    await expect(check({ sslmode: 'verify-full', sslrootcert: caFile }, '127.0.0.1')).rejects.toThrow(
      "DATABASE_URL: the server's certificate is for another host name; use a host name that it contains.",
    );
  });

  it('should name a file that does not exist', () => {
    const missing = path.join(folder.path, 'missing.pem');
    expect(() => check({ sslmode: 'verify-full', sslrootcert: missing })).toThrow(
      `DATABASE_URL: the file of sslrootcert, ${missing}, does not exist.`,
    );
  });

  it('should explain that the server has TLS turned off', async () => {
    const plain = await DatabaseProxy.open(database.connection);
    try {
      await expect(check({ sslmode: 'verify-full' }, 'localhost', plain.connection.port)).rejects.toThrow(
        'DATABASE_URL: the server has TLS turned off; turn it on there, or remove sslmode.',
      );
    } finally {
      await plain.close();
    }
  });
});

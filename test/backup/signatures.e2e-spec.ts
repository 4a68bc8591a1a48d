import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { appendFile, readFile, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { DatabaseConnection } from '../../src/config/database-connection.js';
import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { runAdminWith } from '../setup/run-admin.js';
import { makeTemporaryFolder, type TemporaryFolder } from '../setup/temporary-folder.js';
import { createEmptyDatabase, type TestDatabase, toUrl } from '../setup/test-database.js';
import { useTestApp } from '../setup/use-test-app.js';

const key = randomBytes(32).toString('base64');
const otherKey = randomBytes(32).toString('base64');
const service = useTestApp();
let folder: TemporaryFolder;
let empty: TestDatabase;
let signed: string;
let unsigned: string;

const run = (database: DatabaseConnection, signingKey: string | undefined, ...words: string[]) =>
  runAdminWith({ DATABASE_URL: toUrl(database), ...(signingKey && { BACKUP_SIGNING_KEY: signingKey }) }, ...words);

beforeAll(async () => {
  folder = await makeTemporaryFolder();
  empty = await createEmptyDatabase();
  await createApiKey(service, await createMember(service), 'Signed');
  [signed, unsigned] = [path.join(folder.path, 'signed'), path.join(folder.path, 'unsigned')];
  await run(service.database, key, 'backup', signed, '--sign');
  await run(service.database, key, 'backup', unsigned);
});
afterAll(async () => {
  await empty.drop();
  await folder.remove();
});

let copies = 0;
/** Writes a changed copy of the signed backup. */
async function change(edit: (content: Buffer) => Buffer): Promise<string> {
  const file = path.join(folder.path, `${++copies}.changed`);
  await writeFile(file, edit(await readFile(signed)));
  return file;
}

async function restoreToNew(...words: [key: string | undefined, ...string[]]): Promise<string> {
  const database = await createEmptyDatabase();
  const [signingKey, ...rest] = words;
  return run(database.connection, signingKey, 'restore', ...rest).finally(() => database.drop());
}

const invalid = /was changed after it was signed, or was signed with another BACKUP_SIGNING_KEY/;
const notSigned = /is not signed, or its end is missing/;

describe('npm run admin -- backup --sign', () => {
  it('should write a file that restore --verify and check-backup --verify accept', async () => {
    expect(await restoreToNew(key, signed, '--verify')).toMatch(/^Restored .* Its signature is valid\.$/);
    expect(await run(empty.connection, key, 'check-backup', signed, '--verify')).toMatch(
      /undamaged.* Its signature is valid\.$/,
    );
  });

  it('should write a file that other programs read like an unsigned one', async () => {
    const [first, last] = [gunzipSync(await readFile(signed)), gunzipSync(await readFile(unsigned))];
    expect(first.subarray(0, 20)).toEqual(last.subarray(0, 20));
    expect(first.toString().trimEnd().split('\n').at(-1)).toMatch(/^\{"tables":\d+,"rows":\d+\}$/);
  });

  it('should refuse to start without a key, and a short one', async () => {
    const file = path.join(folder.path, 'never');
    await expect(run(service.database, undefined, 'backup', file, '--sign')).rejects.toThrow(
      '--sign needs BACKUP_SIGNING_KEY',
    );
    await expect(run(service.database, 'x'.repeat(31), 'backup', file, '--sign')).rejects.toThrow(
      'BACKUP_SIGNING_KEY must be 32 to 1024 printable ASCII characters, without spaces.',
    );
    await expect(readFile(file)).rejects.toThrow('ENOENT');
  });
});

describe('npm run admin -- restore --verify', () => {
  // A database where the refusal comes too late isn't reachable.
  const refuse = async (file: string, error: RegExp, signingKey = key) => {
    const environment = { DATABASE_URL: 'postgresql://127.0.0.1:1/unreachable', BACKUP_SIGNING_KEY: signingKey };
    await expect(runAdminWith(environment, 'restore', file, '--verify')).rejects.toThrow(error);
    await expect(runAdminWith(environment, 'check-backup', file, '--verify')).rejects.toThrow(error);
  };

  it('should refuse a signature of another key, and an unsigned backup', async () => {
    await refuse(signed, invalid, otherKey);
    await refuse(unsigned, notSigned);
    await refuse('/missing', /\/missing cannot be read: ENOENT/);
    await refuse('/dev/null', notSigned);
  });

  it('should need a key', async () => {
    await expect(restoreToNew(undefined, signed, '--verify')).rejects.toThrow('--verify needs BACKUP_SIGNING_KEY');
  });

  it('should refuse a backup that was changed at any place', async () => {
    const { length } = await readFile(signed);
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: length - 1 }), fc.integer({ min: 1, max: 255 }), async (place, mask) => {
        const file = await change((content) => {
          content[place] = (content[place] ?? 0) ^ mask;
          return content;
        });
        await refuse(file, /was changed after it was signed|is not signed/);
      }),
      {
        numRuns: 100,
        examples: [
          [0, 1],
          [length - 1, 1],
          [length - 60, 1],
          [length - 115, 1],
        ],
      },
    );
  });

  it('should refuse a backup that was truncated, extended, or written again', async () => {
    const truncated = await change((content) => content);
    await truncate(truncated, (await readFile(truncated)).length - 1);
    await refuse(truncated, notSigned);
    const member = (await readFile(signed)).subarray(-105);
    await refuse(await change((content) => Buffer.concat([content.subarray(0, content.length / 2), member])), /./);
    const extended = await change((content) => content);
    await appendFile(extended, gzipSync('more'));
    await refuse(extended, notSigned);
    const rewritten = await change((content) => gzipSync(gunzipSync(content).toString().replace('Signed', 'Forged')));
    await refuse(rewritten, notSigned);
    await appendFile(rewritten, (await readFile(signed)).subarray(-105));
    await refuse(rewritten, invalid);
  });
});

describe('npm run admin -- restore without --verify', () => {
  it('should still check a signature if it knows the key', async () => {
    expect(await restoreToNew(key, signed)).toContain('Its signature is valid.');
    await expect(restoreToNew(otherKey, signed)).rejects.toThrow(invalid);
  });

  it('should restore a signed backup without a key, and say that it was not checked', async () => {
    expect(await restoreToNew(undefined, signed)).toContain(
      'Its signature was not checked, because BACKUP_SIGNING_KEY is not set.',
    );
  });

  it('should restore an unsigned backup', async () => {
    expect(await restoreToNew(key, unsigned)).not.toContain('signature');
  });

  it('should read a pipe, which has no signature at its end', async () => {
    const pipe = path.join(folder.path, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const written = pipeline(createReadStream(signed), createWriteStream(pipe));
    expect(await run(empty.connection, key, 'check-backup', pipe)).toContain('is undamaged');
    await written;
    await expect(run(empty.connection, key, 'check-backup', pipe, '--verify')).rejects.toThrow(notSigned);
  });
});

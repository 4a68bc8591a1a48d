import { existsSync, rmSync, type WriteStream } from 'node:fs';
import { open, rename, stat } from 'node:fs/promises';
import { PassThrough, Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { ClientBase } from 'pg';
import { DataSource } from 'typeorm';
import type { DatabaseConnection } from '../../config/database-connection.js';
import { AuditService } from '../../audit/audit.service.js';
import { signAuditLog } from '../../audit/proofs/sign-audit-log.js';
import { errorCode, errorMessage } from '../../common/errors/error-utils.js';
import { findAuditSigningKeys } from '../../config/audit-signing-keys.js';
import { describeDatabase } from '../../config/read-config.js';
import { dataSourceOptions } from '../../database/data-source-options.js';
import { exitOnSignals } from '../../database/embedded-postgres/exit-on-signals.js';
import { FaultTolerantClient } from '../../database/fault-tolerant-client.js';
import { prepareSession } from '../../database/prepare-session.js';
import { transactLocally } from '../../database/run-transaction.js';
import { type AdminCommand, type AdminContext, CommandError } from '../admin-command.js';
import { findServer } from '../find-server.js';
import { copySettings, type Totals } from './backup-format.js';
import { requireKey } from './open-backup.js';
import { readSnapshot } from './read-snapshot.js';
import { signContent } from './signature.js';

export const backup: AdminCommand = {
  parameters: ['FILE'],
  description:
    'Write a snapshot of the database to a new file, while the service runs, and checkpoints of the audit log next to it.',
  flags: { sign: 'Sign it with BACKUP_SIGNING_KEY, so that restore --verify accepts it.' },
  audited: ['database.backup'],
  run: async ({ config, operator, progress }, [file = ''], flags) => {
    for (const name of [file, `${file}.checkpoints`]) if (existsSync(name)) throw alreadyExists(name);
    const signature = flags.has('sign')
      ? signContent(requireKey(config.backupSigningKey, '--sign'))
      : new PassThrough();
    const server = await findServer(config);
    let checkpoints = '';
    try {
      const totals = await writeFile(file, async (output) => {
        // First, so that no copy of the database exists without an event.
        const isRecorded = await recordBackup(server.connection, operator);
        checkpoints = await signAuditLog(server.connection, findAuditSigningKeys(config));
        const content = (client: ClientBase) => readSnapshot(client, progress);
        return { ...(await writeSnapshot(server.connection, { signature, output }, content)), isRecorded };
      });
      if (checkpoints !== '') await writeCheckpoints(`${file}.checkpoints`, checkpoints);
      const { size } = await stat(file);
      const counts = `${totals.rows} rows of ${totals.tables} tables`;
      const summary = `Backed up ${describeDatabase(config)}: ${counts}, to ${file} (${(size / 1e6).toFixed(1)} MB).`;
      return totals.isRecorded ? summary : `${summary}\n${notRecorded}`;
    } finally {
      await server.stop();
    }
  },
};

const notRecorded = 'The audit log has no event of it, because this release has not migrated the database yet.';
/** SQLSTATE of an unknown column. */
const undefinedColumn = '42703';

/** Returns false if the database is of an earlier release, which can't record it. */
async function recordBackup(connection: DatabaseConnection, operator: AdminContext['operator']): Promise<boolean> {
  const dataSource = await new DataSource(dataSourceOptions(connection)).initialize();
  const target = { kind: 'organization', id: null, name: null } as const;
  try {
    await transactLocally(dataSource, (manager) =>
      new AuditService().record(manager, { ...operator, organizationId: null }, { action: 'database.backup', target }),
    );
    return true;
  } catch (error) {
    if (errorCode(error) === undefinedColumn) return false;
    throw error;
  } finally {
    await dataSource.destroy();
  }
}

/** Writes under another name, so that an interrupted backup isn't mistaken for a complete one. */
export async function writeFile<Result>(
  file: string,
  write: (output: WriteStream) => Promise<Result>,
): Promise<Result> {
  const partial = `${file}.partial`;
  const removePartial = () => rmSync(partial, { force: true });
  try {
    const handle = await open(partial, 'wx', 0o600);
    exitOnSignals();
    process.once('exit', removePartial);
    try {
      const result = await write(handle.createWriteStream({ flush: true }));
      if (existsSync(file)) throw alreadyExists(file);
      await rename(partial, file);
      return result;
    } catch (error) {
      removePartial();
      throw error;
    } finally {
      process.removeListener('exit', removePartial);
      await handle.close();
    }
  } catch (error) {
    throw explain(error, partial);
  }
}

/** For `audit verify --checkpoint`, of this database and of one that the backup is restored into. */
async function writeCheckpoints(file: string, checkpoints: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(checkpoints);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export async function writeSnapshot(
  connection: DatabaseConnection,
  { signature, output }: { signature: Transform; output: WriteStream },
  read: (client: ClientBase) => AsyncGenerator<Buffer | string, Totals>,
): Promise<Totals> {
  const client = new FaultTolerantClient({ ...connection, application_name: 'keycard backup' });
  try {
    await client.connect();
    await prepareSession(client, copySettings);
    let totals: Totals | undefined;
    const content = async function* () {
      totals = yield* read(client);
    };
    await pipeline(Readable.from(content(), { objectMode: false }), createGzip(), signature, output);
    if (totals === undefined) throw new Error('The snapshot has no totals.');
    return totals;
  } finally {
    // Even in the middle of a table, when the file can't be written.
    client.discard();
  }
}

function explain(error: unknown, partial: string): unknown {
  const code = errorCode(error) ?? '';
  if (code === 'EEXIST') {
    return new CommandError(
      `${partial} exists: another backup is being written, or was killed. Delete it, then retry.`,
    );
  }
  const isFileError = ['ENOSPC', 'EACCES', 'ENOENT', 'EISDIR', 'EROFS', 'EDQUOT', 'EIO'].includes(code);
  return isFileError ? new CommandError(`The backup cannot be written: ${errorMessage(error)}.`) : error;
}

const alreadyExists = (file: string) => new CommandError(`${file} exists. Choose another name for the backup.`);

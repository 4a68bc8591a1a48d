import { readFile } from 'node:fs/promises';
import { DataSource } from 'typeorm';
import { type AuditKey, isSignedBy, toAuditKeys } from '../../audit/proofs/audit-key.js';
import {
  type Checkpoint,
  installationTree,
  originOf,
  parseCheckpoint,
  splitCheckpoints,
} from '../../audit/proofs/checkpoint.js';
import type { Finding } from '../../audit/proofs/verify/finding.js';
import { type LogReport, verifyLog } from '../../audit/proofs/verify/verify-log.js';
import { errorCode } from '../../common/errors/error-utils.js';
import { findAuditSigningKeys } from '../../config/audit-signing-keys.js';
import { dataSourceOptions } from '../../database/data-source-options.js';
import { type AdminCommand, CommandError, DifferencesFound } from '../admin-command.js';
import { findServer } from '../find-server.js';

/** Of `npm run admin` if the log was manipulated, which is not a failure of the check. */
const manipulatedExitCode = 3;
/** SQLSTATE of an unknown table. */
const undefinedTable = '42P01';

export const verifyAudit: AdminCommand = {
  parameters: [],
  description:
    'Check that no audit event was changed, removed, inserted, reordered or cut off; exit with 3 if one was.',
  options: { checkpoint: { value: 'FILE', description: 'Compare the log with checkpoints that were kept elsewhere.' } },
  audited: [],
  run: async ({ config, progress }, _parameters, _flags, { checkpoint: file }) => {
    const server = await findServer(config);
    try {
      const keys = toAuditKeys(findAuditSigningKeys(config));
      const kept = file === undefined ? [] : await readCheckpoints(file, keys);
      const dataSource = await new DataSource(
        dataSourceOptions({ ...server.connection, query_timeout: 0 }, [], 1),
      ).initialize();
      try {
        const report = await dataSource.transaction('REPEATABLE READ', async (manager) => {
          await manager.query('set transaction read only');
          const names = await readNames(manager);
          const log = await verifyLog(manager, keys, kept, (done, of) => progress.update(`${done} of ${of} trees`));
          return { ...log, lines: log.findings.map((finding) => describe(finding, names)) };
        });
        progress.finish(`${report.trees} trees`);
        if (report.lines.length > 0) throw new DifferencesFound(report.lines.join('\n'), manipulatedExitCode);
        return summarize(report, keys, file);
      } finally {
        await dataSource.destroy();
      }
    } catch (error) {
      if (errorCode(error) !== undefinedTable) throw error;
      throw new CommandError('The audit log has no proofs yet: start this release of Keycard, which adds them.');
    } finally {
      await server.stop();
    }
  },
};

/** @throws CommandError if the file has something else, or another key has signed it */
async function readCheckpoints(file: string, keys: readonly AuditKey[]): Promise<Checkpoint[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new CommandError(`${file} can't be read (${errorCode(error) ?? 'unknown reason'}).`);
  });
  const notes = splitCheckpoints(text);
  if (notes.length === 0) throw new CommandError(`${file} has no checkpoint.`);
  return notes.map((note, place) => {
    const checkpoint = parseCheckpoint(note);
    if (checkpoint === undefined)
      throw new CommandError(`${file} has something else than a checkpoint at place ${place + 1}.`);
    const verifierKeys = keys.map((key) => key.verifierKey(originOf(checkpoint.treeId)));
    if (keys.length > 0 && !isSignedBy(verifierKeys, note)) {
      throw new CommandError(
        `The checkpoint of ${originOf(checkpoint.treeId)} in ${file} was changed, or none of the AUDIT_SIGNING_KEY signed it.`,
      );
    }
    return checkpoint;
  });
}

async function readNames(manager: { query: DataSource['query'] }): Promise<Map<string, string>> {
  const rows = await manager.query<{ id: string; name: string }[]>('select id, name from organizations');
  return new Map(rows.map(({ id, name }) => [id, name]));
}

function describe({ treeId, text }: Finding, names: ReadonlyMap<string, string>): string {
  if (treeId === installationTree) return `Events without an organization: ${text}`;
  return `${names.get(treeId) ?? 'Deleted organization'} (${treeId}): ${text}`;
}

function summarize(report: LogReport, keys: readonly AuditKey[], file: string | undefined): string {
  const { leaves, trees, deleted, checkpoints, pending } = report;
  const notes = [
    ...(deleted > 0 ? [`${deleted} of them were deleted because of AUDIT_RETENTION_DAYS.`] : []),
    ...(pending > 0 ? [`${pending} newer events have not been hashed yet.`] : []),
    ...(keys.length === 0 ? ['Without AUDIT_SIGNING_KEY, signatures and seals were not checked.'] : []),
    ...(file === undefined
      ? ['Use --checkpoint with a checkpoint kept elsewhere to find events that were cut off.']
      : []),
  ];
  return [`Verified ${leaves} audit events in ${trees} trees, and ${checkpoints} checkpoints.`, ...notes].join('\n');
}

import { describeDatabase } from '../config/read-config.js';
import type { AdminCommand } from './admin-command.js';
import { inTransaction } from './in-transaction.js';

interface Accepted {
  /** ISO 8601, UTC; null if the history has no rows. */
  newest: string | null;
}

/** An unknown generation is newer than any row that replicas remember. */
const accept = `
  update database_identity set generation = generation + 1, lost_at = null
  returning (
    select to_char(max(written_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
    from database_history where beat = (select max(beat) from database_history)
  ) as newest`;

export const acceptHistory: AdminCommand = {
  parameters: [],
  description: 'Use a database that went back in time, such as a restored backup. Lost changes must be made again.',
  audited: ['database.accept-history'],
  run: inTransaction(async ({ manager, config, record }) => {
    const [[accepted] = []] = await manager.query<[Accepted[], number]>(accept);
    await record(null, {
      action: 'database.accept-history',
      target: { kind: 'organization', id: null, name: null },
      after: { newestRowAt: accepted?.newest ?? null },
    });
    const since = accepted?.newest == null ? 'since it was backed up' : `after ${accepted.newest}`;
    return [
      `Accepted the history of ${describeDatabase(config)}. Running replicas use it within seconds.`,
      `It may lack changes made ${since}: API keys deleted or rotated since then work again. Delete them again.`,
    ].join('\n');
  }),
};

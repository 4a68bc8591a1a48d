import type { AdminCommand } from '../admin-command.js';
import { openBackup } from './open-backup.js';
import { readTables, skipRows } from './read-tables.js';

export const checkBackup: AdminCommand = {
  parameters: ['FILE'],
  description: 'Read a backup completely, and check that it is undamaged. Needs no database.',
  flags: { verify: 'Refuse a backup that is not signed with BACKUP_SIGNING_KEY.' },
  audited: [],
  run: async ({ config }, [file = ''], flags) => {
    const { reader, note } = await openBackup(file, config, flags.has('verify'));
    try {
      const { createdAt, keycardVersion } = await reader.readHeader();
      const { tables, rows } = await readTables(reader, (table) => skipRows(reader, table));
      return `${file} is undamaged: ${rows} rows of ${tables} tables, as of ${createdAt}, by Keycard ${keycardVersion}.${note}`;
    } finally {
      reader.close();
    }
  },
};

import { DataSource, type EntityManager } from 'typeorm';
import { type AuditEntry, AuditService } from '../audit/audit.service.js';
import type { AdminConfig } from '../config/read-config.js';
import { dataSourceOptions } from '../database/data-source-options.js';
import { migrate } from '../database/migrate.js';
import { entities } from '../entities.js';
import type { AdminCommand } from './admin-command.js';
import { findServer } from './find-server.js';

interface TransactionContext {
  manager: EntityManager;
  config: AdminConfig;
  /** Records an audit event of the operator; `organizationId` is null for events outside organizations. */
  record: (organizationId: string | null, entry: AuditEntry) => Promise<void>;
}

type Run = (context: TransactionContext, parameters: string[], flags: ReadonlySet<string>) => Promise<string>;

/** Wraps a command that runs in one transaction. Pending migrations run first, as when the service starts. */
export function inTransaction(run: Run): AdminCommand['run'] {
  return async ({ config, operator }, parameters, flags) => {
    const server = await findServer(config);
    try {
      await migrate(server.connection);
      const dataSource = await new DataSource(dataSourceOptions(server.connection, entities)).initialize();
      const audit = new AuditService();
      const command = (manager: EntityManager) => {
        const record: TransactionContext['record'] = (organizationId, entry) =>
          audit.record(manager, { ...operator, organizationId }, entry);
        return run({ manager, config, record }, parameters, flags);
      };
      return await dataSource.transaction(command).finally(() => dataSource.destroy());
    } finally {
      await server.stop();
    }
  };
}

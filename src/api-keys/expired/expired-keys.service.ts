import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditService } from '../../audit/audit.service.js';
import { RepeatedTask } from '../../common/repeated-task.js';
import { loadStatement } from '../../database/sql-file.js';
import { deleteCountersOfDeletedKeys } from '../../limits/limit-queries.js';
import { deleteApiKeys } from '../api-key-queries.js';

const intervalMilliseconds = 60_000;
/** Keys per transaction. */
const batchSize = 100;
/** Until then, requests with the key fail because it has expired, and `api_key.expired` has been published. */
const delaySeconds = 300;

export const takeExpired = loadStatement('api-keys/expired/take-expired.sql', {
  parameters: ['batchSize', 'delaySeconds'],
});

interface ExpiredKey {
  id: string;
  organizationId: string;
  name: string;
  hint: string;
}

/**
 * Deletes keys created with `deleteWhenExpired`, such as temporary ones of the playground, once they have expired. Every
 * replica does this; each key is deleted by one of them, in the transaction that records its event.
 */
@Injectable()
export class ExpiredKeysService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('API keys');
  private readonly task = new RepeatedTask({
    intervalMilliseconds,
    run: () => this.deleteAll(),
    onFailure: (err) => this.logger.warn('Expired keys could not be deleted. It is retried.', { err }),
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditService,
  ) {}

  onApplicationBootstrap(): void {
    this.task.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.task.stop();
  }

  /** Deletes all keys that are due. Of failures in a row, the first is logged. */
  run(): Promise<void> {
    return this.task.run();
  }

  private async deleteAll(): Promise<void> {
    while (!this.task.signal.aborted && (await this.deleteSome()) === batchSize);
  }

  private async deleteSome(): Promise<number> {
    const deleted = await this.dataSource.transaction(async (manager) => {
      const values = takeExpired.bind({ batchSize, delaySeconds });
      const keys = await manager.query<ExpiredKey[]>(takeExpired.text, values);
      if (keys.length > 0)
        await deleteApiKeys(
          manager,
          keys.map(({ id }) => id),
        );
      for (const { organizationId, ...key } of keys) {
        const target = { kind: 'api-key', ...key } as const;
        await this.audit.record(manager, { kind: 'system', organizationId }, { action: 'api-key.delete', target });
      }
      return keys;
    });
    for (const organizationId of new Set(deleted.map((key) => key.organizationId))) {
      await deleteCountersOfDeletedKeys(this.dataSource.manager, organizationId);
    }
    return deleted.length;
  }
}

import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { RepeatedTask } from '../../common/repeated-task.js';
import { loadStatement } from '../../database/sql-file.js';
import { publish } from '../publish.js';

const intervalMilliseconds = 60_000;
/** Keys per transaction. */
const batchSize = 100;

export const takeExpiries = loadStatement('events/key-expiry/take-expiries.sql', { parameters: ['batchSize'] });

interface Expiry {
  id: string;
  organizationId: string;
  name: string;
  hint: string;
  expiresAt: Date;
  /** 0: it has expired. */
  daysBefore: number;
}

/**
 * Publishes events of keys that expire soon or have expired. Every replica does this; each event is published by one of
 * them, in the transaction that notes it.
 */
@Injectable()
export class ExpiryNoticesService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Events');
  private readonly task = new RepeatedTask({
    intervalMilliseconds,
    run: () => this.publishAll(),
    onFailure: (err) => this.logger.warn('Events of expiring keys could not be published. It is retried.', { err }),
  });

  constructor(private readonly dataSource: DataSource) {}

  onApplicationBootstrap(): void {
    this.task.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.task.stop();
  }

  /** Publishes all events that are due. Of failures in a row, the first is logged. */
  run(): Promise<void> {
    return this.task.run();
  }

  private async publishAll(): Promise<void> {
    while (!this.task.signal.aborted && (await this.publishSome()) === batchSize);
  }

  private publishSome(): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      const expiries = await manager.query<Expiry[]>(takeExpiries.text, takeExpiries.bind({ batchSize }));
      for (const { id, organizationId, name, hint, expiresAt, daysBefore } of expiries) {
        const isExpired = daysBefore === 0;
        await publish(manager, {
          organizationId,
          type: isExpired ? 'api_key.expired' : 'api_key.expiring',
          data: {
            apiKey: { id, name, hint },
            expiresAt: expiresAt.toISOString(),
            ...(!isExpired && { daysLeft: daysBefore }),
          },
        });
      }
      return expiries.length;
    });
  }
}

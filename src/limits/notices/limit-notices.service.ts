import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditService } from '../../audit/audit.service.js';
import { RepeatedTask } from '../../common/repeated-task.js';
import { checkLimits } from './limit-checks.js';
import { takeNotices, toAuditEntry } from './limit-notices.js';

const intervalMilliseconds = 1000;

/**
 * Turns thresholds that limits have reached into audit events. Requests only leave a row, because they must not wait for
 * locks of the audit log, and changes of limits leave a check, because they must not lock counters. Every replica does this;
 * each row is taken by one of them, in the transaction that writes its event.
 */
@Injectable()
export class LimitNoticesService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Limits');
  private readonly task = new RepeatedTask({
    intervalMilliseconds,
    run: () => this.recordAll(),
    onFailure: (err) =>
      this.logger.warn('Events of limits could not be recorded. They are retried every second.', { err }),
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

  /** Records an event for each threshold. Of failures in a row, the first is logged. */
  run(): Promise<void> {
    return this.task.run();
  }

  /** Returns false if another replica, which may fail, has taken the rest. */
  private async recordAll(): Promise<boolean> {
    // Without a transaction, because there is nearly always nothing to do.
    while (!this.task.signal.aborted && (await this.hasWork())) {
      const recorded = await this.recordNotices();
      const checked = await checkLimits(this.dataSource);
      if (recorded + checked === 0) return false;
    }
    return true;
  }

  private recordNotices(): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      const notices = await takeNotices(manager);
      for (const notice of notices) {
        const { organizationId } = notice;
        await this.audit.record(manager, { kind: 'system', organizationId }, toAuditEntry(notice));
      }
      return notices.length;
    });
  }

  private async hasWork(): Promise<boolean> {
    const found = await this.dataSource.query<object[]>(
      `(select from limit_notices limit 1) union all (select from limit_checks where due_at <= now() limit 1)`,
    );
    return found.length > 0;
  }
}

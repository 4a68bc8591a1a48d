import type { EntityManager } from 'typeorm';
import type { AuditEntry } from '../../audit/audit.service.js';
import type { Metric, Period } from '../../common/rules/limit-rules.js';
import { loadStatement } from '../../database/sql-file.js';
import { toShownAmount } from '../stored-limits.js';

/** Events per transaction. */
const batchSize = 100;

export const takeStatement = loadStatement('limits/notices/take-notices.sql', {
  parameters: [],
  fragments: { batch_size: String(batchSize) },
});

/** A threshold that a limit has reached. */
export interface LimitNotice {
  organizationId: string;
  organizationName: string;
  /** Id of the key or organization. */
  ownerId: string;
  keyName: string | null;
  hint: string | null;
  metric: Metric;
  per: Period;
  models: string[] | null;
  percent: number;
  /** Amounts at that time, as stored. */
  charged: string;
  max: string;
  periodStart: Date;
}

/** Takes the oldest thresholds that no other replica is taking. If the transaction fails, they stay. */
export function takeNotices(manager: EntityManager): Promise<LimitNotice[]> {
  return manager.query<LimitNotice[]>(takeStatement.text);
}

/** The audit event of a threshold. */
export function toAuditEntry(notice: LimitNotice): AuditEntry {
  const { organizationId, organizationName, ownerId, keyName, hint } = notice;
  const { metric, per, models, percent, charged, max, periodStart } = notice;
  return {
    action: 'limit.threshold',
    target:
      ownerId === organizationId
        ? { kind: 'organization', id: organizationId, name: organizationName }
        : { kind: 'api-key', id: ownerId, name: keyName, ...(hint !== null && { hint }) },
    after: {
      metric,
      per,
      ...(models !== null && { models }),
      percent,
      charged: toShownAmount(metric, charged),
      max: toShownAmount(metric, max),
      periodStart: periodStart.toISOString(),
    },
  };
}

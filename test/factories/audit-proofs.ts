import { createHash } from 'node:crypto';
import { AuditTreesService } from '../../src/audit/proofs/audit-trees.service.js';
import { AppError } from '../../src/common/errors/app-error.js';
import type { ServiceConfig } from '../../src/config/service-config.js';
import type { TestApp } from '../setup/test-app.js';
import { waitFor } from '../setup/wait-for.js';

/** Ed25519 seeds of the tests. */
export const auditSeeds = ['current', 'previous', 'unknown'].map((name) =>
  createHash('sha256').update(name).digest('base64'),
) as [string, string, string];

export const auditSigningKeys = [auditSeeds[0]] as const;

/** Options of an app that signs its audit log. */
export const signedApp = (config: Partial<ServiceConfig> = {}) => ({ config: { auditSigningKeys, ...config } });

/** Waits until all committed events are in their trees, however many there are. */
export async function hashEvents({ app }: Pick<TestApp, 'app'>): Promise<void> {
  const trees = app.get(AuditTreesService);
  const isDone = () =>
    trees.catchUp().then(
      () => true,
      (error: unknown) => {
        if (error instanceof AppError && error.code === 'database-unavailable') return false;
        throw error;
      },
    );
  await waitFor(isDone);
}

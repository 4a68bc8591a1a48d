import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Actor } from '../access/principal.js';
import { AuditService } from '../audit/audit.service.js';
import { notFound } from '../common/errors/app-error.js';
import { lockApiKey } from './api-key-queries.js';
import { revokeLeakedKey, revokePreviousSecret } from './api-key-secret-queries.js';
import { claimIdempotencyKey } from './idempotency.js';
import { memberSource } from './leak-reporter.js';
import { rotateApiKey } from './rotate-api-key.js';

/** Replaces and revokes secrets of API keys. Each change and its audit event are one transaction. */
@Injectable()
export class ApiKeySecretsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditService,
  ) {}

  /**
   * Gives a key of the actor's organization a new secret. The current secret keeps working for `gracePeriodSeconds`, but
   * no longer than the key; older secrets are revoked. If the key leaked and is disabled, the current secret is revoked too:
   * enabling the key must not bring it back. Once this returns, no replica accepts a revoked secret.
   *
   * @returns the new full key, which isn't stored
   * @throws AppError 404 for an unknown or foreign id; 409 for an expired key, or if the idempotency key was used before
   */
  rotate(actor: Actor, id: string, gracePeriodSeconds: number, idempotencyKey?: string): Promise<string> {
    return this.dataSource.transaction(async (manager) => {
      const key = await lockApiKey(manager, actor, id);
      if (idempotencyKey !== undefined) {
        const route = `POST /api-keys/${id}/rotate`;
        await claimIdempotencyKey(manager, actor, {
          key: idempotencyKey,
          route,
          body: { gracePeriodSeconds },
          apiKeyId: id,
        });
      }
      return rotateApiKey({ manager, audit: this.audit }, actor, key, gracePeriodSeconds);
    });
  }

  /**
   * Ends the grace period of a rotated key of the actor's organization. Once this returns, no replica accepts the
   * previous secret.
   *
   * @throws AppError 404 for an unknown or foreign id, or if no previous secret is accepted
   */
  async revokePrevious(actor: Actor, id: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const { name, hint } = await lockApiKey(manager, actor, id);
      const revoked = await revokePreviousSecret(manager, id);
      if (revoked === undefined) throw notFound('previous secret');
      await this.audit.record(manager, actor, {
        action: 'api-key.update',
        target: { kind: 'api-key', id, name, hint },
        before: { previousSecretHint: revoked.hint, previousSecretExpiresAt: revoked.expiresAt.toISOString() },
        after: { previousSecretHint: null, previousSecretExpiresAt: null },
      });
    });
  }

  /**
   * Disables a key of the actor's organization that leaked, and revokes its previous secret. Once this returns, no replica
   * accepts any of its secrets. Repeating it changes and records nothing.
   *
   * @throws AppError 404 for an unknown or foreign id
   */
  async reportLeak(actor: Actor, id: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const { name, hint, enabled, leakedSecret } = await lockApiKey(manager, actor, id);
      if (!enabled && leakedSecret === 'current') return;
      await revokeLeakedKey(manager, id, memberSource);
      await this.audit.record(manager, actor, {
        action: 'api-key.leak',
        target: { kind: 'api-key', id, name, hint },
        after: {
          url: null,
          source: memberSource,
          secret: 'current',
          outcome: enabled ? 'disabled' : 'already-rejected',
        },
      });
    });
  }
}

import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Actor, Principal } from '../access/principal.js';
import { AuditService, changedFields } from '../audit/audit.service.js';
import { notFound } from '../common/errors/app-error.js';
import { hashSecret } from '../common/secret-format.js';
import { currentTime } from '../database/clock.js';
import { AccessChangesService, assertHeld } from '../organizations/access-changes.service.js';
import type { KeyRemovalQueryDto } from '../organizations/removal/key-removal.dto.js';
import { finishRemoval, removeKeysOf } from '../organizations/removal/remove-keys.js';
import { findRole } from '../organizations/roles/role-queries.js';
import { ServiceAccount } from './service-account.entity.js';
import { clientSecretFormat } from './client-secret.js';
import type {
  ClientCredentialsDto,
  CreateServiceAccountDto,
  ListServiceAccountsQueryDto,
  ServiceAccountDto,
  ServiceAccountListDto,
  UpdateServiceAccountDto,
} from './dto/service-account.dto.js';
import { findServiceAccount, findServiceAccountsPage, replaceSecret } from './service-account-queries.js';

/** Manages service accounts. Each change and its audit event are one transaction. */
@Injectable()
export class ServiceAccountsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly changes: AccessChangesService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Creates a service account in the actor's organization.
   *
   * @returns its credentials; the secret isn't stored
   * @throws AppError 403 if the actor lacks one of the role's permissions; 404 for unknown, malformed and foreign roles
   */
  create(actor: Actor, { name, roleId }: CreateServiceAccountDto): Promise<ClientCredentialsDto> {
    const { organizationId } = actor;
    const id = uuidv7();
    const clientSecret = clientSecretFormat.generate();
    const hint = clientSecretFormat.hintOf(clientSecret);
    return this.changes.run(actor, 'create-service-accounts', async ({ manager, held }) => {
      const role = await findRole(manager, organizationId, roleId);
      assertHeld(held, role.permissions);
      const secretHash = hashSecret(clientSecret);
      await manager.insert(ServiceAccount, { id, organizationId, name, roleId: role.id, hint, secretHash });
      await this.audit.record(manager, actor, {
        action: 'service-account.create',
        target: { kind: 'service-account', id, name, hint },
        after: { name, role: role.name },
      });
      return { id, clientId: id, clientSecret };
    });
  }

  /** Returns a page of the service accounts of the principal's organization. */
  async list({ organizationId }: Principal, query: ListServiceAccountsQueryDto): Promise<ServiceAccountListDto> {
    const { page, perPage } = query;
    const { total, accounts } = await findServiceAccountsPage(this.dataSource.manager, organizationId, query);
    return { total, page, perPage, serviceAccounts: accounts.map(toDto) };
  }

  /** @throws AppError 404 for an unknown or foreign id */
  async get({ organizationId }: Principal, id: string): Promise<ServiceAccountDto> {
    return toDto(await findServiceAccount(this.dataSource.manager, organizationId, id));
  }

  /**
   * Changes name or role. The role applies to every request that arrives after this returned.
   *
   * @throws AppError 403 if the actor lacks one of the new role's permissions; 404 for unknown, malformed and foreign
   *   accounts and roles
   */
  update(actor: Actor, id: string, { name, roleId }: UpdateServiceAccountDto): Promise<ServiceAccountDto> {
    const { organizationId } = actor;
    return this.changes.run(actor, 'update-service-accounts', async ({ manager, held }) => {
      const account = await findServiceAccount(manager, organizationId, id);
      const role = roleId === undefined ? account.role : await findRole(manager, organizationId, roleId);
      if (role.id !== account.role.id) assertHeld(held, role.permissions);
      const before = { name: account.name, role: account.role.name };
      const change = changedFields(before, { name, role: role.name });
      if (change === undefined) return toDto(account);
      const changed = { name: name ?? account.name, roleId: role.id, updatedAt: () => currentTime };
      await manager.update(ServiceAccount, { id }, changed);
      const target = { kind: 'service-account', id, name: changed.name, hint: account.hint } as const;
      await this.audit.record(manager, actor, { action: 'service-account.update', target, ...change });
      return toDto(await findServiceAccount(manager, organizationId, id));
    });
  }

  /**
   * Gives a service account a new client secret. The current secret, and access tokens issued for it, keep working for
   * `gracePeriodSeconds`; older ones are revoked. Once this returns, no replica accepts a revoked secret or token.
   *
   * @returns the credentials; the secret isn't stored
   * @throws AppError 403 if the actor lacks one of the account's permissions; 404 for an unknown or foreign id
   */
  rotate(actor: Actor, id: string, gracePeriodSeconds: number): Promise<ClientCredentialsDto> {
    const clientSecret = clientSecretFormat.generate();
    const hint = clientSecretFormat.hintOf(clientSecret);
    return this.changes.run(actor, 'update-service-accounts', async ({ manager, held }) => {
      const account = await findServiceAccount(manager, actor.organizationId, id);
      assertHeld(held, account.role.permissions, rotationRule);
      await replaceSecret(manager, id, { hash: hashSecret(clientSecret), hint, gracePeriodSeconds });
      await this.audit.record(manager, actor, {
        action: 'service-account.rotate',
        target: { kind: 'service-account', id, name: account.name, hint },
        before: { hint: account.hint },
        after: { hint, gracePeriodSeconds },
      });
      return { id, clientId: id, clientSecret };
    });
  }

  /**
   * Ends the grace period of a rotated secret. Once this returns, no replica accepts the previous secret or its tokens.
   *
   * @throws AppError 404 for an unknown or foreign id, or if no previous secret is accepted
   */
  revokePrevious(actor: Actor, id: string): Promise<void> {
    return this.changes.run(actor, 'update-service-accounts', async ({ manager }) => {
      const { name, hint, previousSecretExpiresAt } = await findServiceAccount(manager, actor.organizationId, id);
      if (previousSecretExpiresAt === null) throw notFound('previous secret');
      const revoked = { previousSecretHash: null, previousSecretExpiresAt: null, updatedAt: () => currentTime };
      await manager.update(ServiceAccount, { id }, revoked);
      await this.audit.record(manager, actor, {
        action: 'service-account.update',
        target: { kind: 'service-account', id, name, hint },
        before: { previousSecretExpiresAt: previousSecretExpiresAt.toISOString() },
        after: { previousSecretExpiresAt: null },
      });
    });
  }

  /**
   * Deletes a service account. API keys that it created are kept, or all disabled or deleted in the same transaction: once
   * this returns, no replica accepts them, or the account's secrets or tokens.
   *
   * @returns the number of keys that were disabled or deleted
   * @throws AppError 403 if the actor may not change or delete keys but asks for it; 404 for an unknown or foreign id; 409
   *   for too many keys
   */
  async delete(actor: Actor, id: string, keys: KeyRemovalQueryDto['keys'] = 'keep'): Promise<number> {
    const count = await this.changes.run(actor, 'delete-service-accounts', async ({ manager, held }) => {
      const { name, hint, role } = await findServiceAccount(manager, actor.organizationId, id);
      const context = { manager, audit: this.audit, actor, held };
      const changed = await removeKeysOf({ createdByServiceAccountId: id }, keys, context);
      // Before the deletion, because the account may delete itself and the event has its name.
      await this.audit.record(manager, actor, {
        action: 'service-account.delete',
        target: { kind: 'service-account', id, name, hint },
        before: { name, role: role.name },
      });
      await manager.delete(ServiceAccount, { id });
      return changed;
    });
    await finishRemoval(this.dataSource.manager, actor, keys);
    return count;
  }
}

const rotationRule = 'Rotating requires every permission of the service account, because its secret grants them.';

function toDto(account: ServiceAccount): ServiceAccountDto {
  const { id, name, hint, role, createdAt, updatedAt, lastUsedAt, previousSecretExpiresAt } = account;
  return {
    id,
    name,
    clientId: id,
    hint,
    role: { id: role.id, name: role.name },
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    ...(lastUsedAt && { lastUsedAt: lastUsedAt.toISOString() }),
    ...(previousSecretExpiresAt && { previousSecretExpiresAt: previousSecretExpiresAt.toISOString() }),
  };
}

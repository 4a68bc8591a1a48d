import type { EntityManager, SelectQueryBuilder } from 'typeorm';
import { notFound } from '../common/errors/app-error.js';
import { foldTextSql } from '../common/validation/fold-text.js';
import { currentTime } from '../database/clock.js';
import { ServiceAccount } from './service-account.entity.js';

/**
 * Finds a service account of the organization with its role.
 *
 * @throws AppError 404 for an unknown or foreign id
 */
export async function findServiceAccount(
  manager: EntityManager,
  organizationId: string,
  id: string,
): Promise<ServiceAccount> {
  const [account] = await read(accountsOf(manager, organizationId).andWhere('account.id = :id', { id }));
  if (account === undefined) throw notFound('service account');
  return account;
}

interface ServiceAccountSearch {
  page: number;
  perPage: number;
  /** Part of the name. */
  search?: string | undefined;
}

/** The number of matching service accounts in the organization, and those on the page, newest first. */
export async function findServiceAccountsPage(
  manager: EntityManager,
  organizationId: string,
  { page, perPage, search = '' }: ServiceAccountSearch,
): Promise<{ total: number; accounts: ServiceAccount[] }> {
  const matching = () => {
    const accounts = accountsOf(manager, organizationId);
    if (search === '') return accounts;
    return accounts.andWhere(`strpos(${foldTextSql('account.name')}, ${foldTextSql(':search')}) > 0`, { search });
  };
  const total = await matching().getCount();
  const accounts = await read(
    matching()
      .orderBy('account.createdAt', 'DESC')
      .addOrderBy('account.id', 'DESC')
      .offset((page - 1) * perPage)
      .limit(perPage),
  );
  return { total, accounts };
}

function accountsOf(manager: EntityManager, organizationId: string): SelectQueryBuilder<ServiceAccount> {
  return manager
    .createQueryBuilder(ServiceAccount, 'account')
    .innerJoinAndSelect('account.role', 'role')
    .addSelect(`account.previousSecretExpiresAt > ${currentTime}`, 'has_previous')
    .where('account.organizationId = :organizationId', { organizationId });
}

/** `previousSecretExpiresAt` is null once the previous secret has expired. */
async function read(query: SelectQueryBuilder<ServiceAccount>): Promise<ServiceAccount[]> {
  const { entities, raw } = await query.getRawAndEntities<{ has_previous: boolean | null }>();
  entities.forEach((account, index) => {
    if (raw[index]?.has_previous !== true) account.previousSecretExpiresAt = null;
  });
  return entities;
}

interface NewSecret {
  /** SHA-256, 32 bytes. */
  hash: Buffer;
  hint: string;
  /** How long the current secret keeps working; 0 revokes it immediately. */
  gracePeriodSeconds: number;
}

/** Replaces the client secret. The current one becomes the previous one, until the grace period ends. */
export async function replaceSecret(manager: EntityManager, id: string, secret: NewSecret): Promise<void> {
  await manager.query(
    `update service_accounts set
       previous_secret_hash = case when $4::integer > 0 then secret_hash end,
       previous_secret_expires_at = case when $4::integer > 0 then ${currentTime} + $4::integer * interval '1 second' end,
       secret_hash = $2, hint = $3, secret_version = secret_version + 1, updated_at = ${currentTime}
     where id = $1`,
    [id, secret.hash, secret.hint, secret.gracePeriodSeconds],
  );
}

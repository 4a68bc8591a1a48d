import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { DataSource } from 'typeorm';
import { NIL } from 'uuid';
import type { Permission } from '../access/permissions.js';
import { isElsewhere } from '../cells/is-elsewhere.js';
import { currentTime } from '../database/clock.js';
import { clientSecretFormat, isSecretOf } from './client-secret.js';

/** A service account, as its access tokens identify it. */
export interface ServiceAccountClaims {
  id: string;
  organizationId: string;
  /** The version of the client secret that the token was issued for. */
  secretVersion: number;
}

/** The outcome of a check of credentials. */
interface CheckedCredentials {
  account: Omit<ServiceAccountClaims, 'secretVersion'> & { name: string };
  /** Undefined if the secret is wrong. */
  secretVersion: number | undefined;
}

interface StoredSecrets {
  id: string;
  organizationId: string;
  name: string;
  secretHash: Buffer;
  secretVersion: number;
  /** Null once it has expired. */
  previousHash: Buffer | null;
}

/** Authenticates service accounts. */
@Injectable()
export class ClientCredentialsService {
  constructor(private readonly dataSource: DataSource) {}

  /** Checks a client id and secret. Returns undefined for an unknown id. */
  async check(clientId: string, clientSecret: string): Promise<CheckedCredentials | undefined> {
    const [stored] = await this.dataSource.query<StoredSecrets[]>(
      `select id, organization_id as "organizationId", name, secret_hash as "secretHash",
         secret_version as "secretVersion",
         case when previous_secret_expires_at > ${currentTime} then previous_secret_hash end as "previousHash"
       from service_accounts where id = $1`,
      [isUUID(clientId) ? clientId : NIL],
    );
    const secretVersion = findVersion(clientSecret, stored);
    if (stored === undefined) return undefined;
    const { id, organizationId, name } = stored;
    return { account: { id, organizationId, name }, secretVersion };
  }

  /**
   * Reads the current permissions of the holder of an access token, in one query for each management request.
   *
   * @returns undefined if the account was deleted, the secret that the token was issued for is no longer accepted, or the
   *   organization has moved
   */
  async findPermissions({
    id,
    organizationId,
    secretVersion,
  }: ServiceAccountClaims): Promise<Permission[] | undefined> {
    const [found] = await this.dataSource.query<{ permissions: Permission[] }[]>(
      `select role.permissions
         from service_accounts account
         join roles role on role.organization_id = account.organization_id and role.id = account.role_id
        where account.id = $1 and account.organization_id = $2 and not ${isElsewhere('$2')}
          and (account.secret_version = $3
               or account.secret_version = $3 + 1 and account.previous_secret_expires_at > ${currentTime})`,
      [id, organizationId, secretVersion],
    );
    return found?.permissions;
  }
}

/** The version of the accepted secret that this is, if any. */
function findVersion(secret: string, stored: StoredSecrets | undefined): number | undefined {
  if (!clientSecretFormat.isWellFormed(secret)) return undefined;
  const isCurrent = isSecretOf(secret, stored?.secretHash);
  const isPrevious = isSecretOf(secret, stored?.previousHash);
  if (stored === undefined) return undefined;
  if (isCurrent) return stored.secretVersion;
  return isPrevious ? stored.secretVersion - 1 : undefined;
}

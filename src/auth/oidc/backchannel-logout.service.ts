import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Origin } from '../../access/principal.js';
import { AppError } from '../../common/errors/app-error.js';
import { RateLimitsService } from '../limits/rate-limits.service.js';
import { SessionRevocationService } from '../sessions/session-revocation.service.js';
import { IdentityProviderService } from './identity-provider.service.js';
import { type ExpectedToken, invalidLogoutToken, type ProviderLogout, verifyLogoutToken } from './logout-token.js';
import { rememberLogout } from './recent-logouts.js';

/** Ends sessions after a logout at the identity provider (OpenID Connect Back-Channel Logout 1.0). */
@Injectable()
export class BackchannelLogoutService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly provider: IdentityProviderService,
    private readonly revocations: SessionRevocationService,
    private readonly limits: RateLimitsService,
  ) {}

  /**
   * Ends the sessions named by the logout token, including sessions of sign-ins in progress. Invalid tokens count towards
   * a limit for each IP address.
   *
   * @throws AppError 400 if the token is invalid or was used before; 429 after too many such tokens; 503 if the
   *   provider's keys can't be loaded
   */
  async logOut(token: unknown, origin: Origin): Promise<void> {
    const { settings } = this.provider;
    if (settings?.clientId === undefined) throw new Error('No client of an identity provider is configured.');
    const { clientId, issuer } = settings;
    const { keys } = await this.provider.discover();
    await this.limits.checkByAddress('logout token by address', origin.address);
    try {
      await this.endSessions(token, { clientId, issuer, keys }, origin);
    } catch (error) {
      // Failures of the provider or the database aren't the sender's.
      if (isInvalid(error)) await this.limits.spendByAddress('logout token by address', origin.address);
      throw error;
    }
  }

  private async endSessions(token: unknown, expected: ExpectedToken, origin: Origin): Promise<void> {
    if (typeof token !== 'string' || token === '') throw invalidLogoutToken('logout_token must be a logout token.');
    const logout = await verifyLogoutToken(token, expected);
    await this.dataSource.transaction(async (manager) => {
      if (!(await useToken(manager, logout))) throw invalidLogoutToken('This logout token was already used.');
      await rememberLogout(manager, logout);
      await this.revocations.revokeFromProvider(manager, logout, origin);
    });
  }
}

function isInvalid(error: unknown): boolean {
  return error instanceof AppError && error.code === 'validation-failed';
}

/** Stores the token's hash until it expires. Returns false if it was already used. */
async function useToken(manager: EntityManager, { issuer, tokenId, expiresAt }: ProviderLogout): Promise<boolean> {
  const hash = createHash('sha256')
    .update(JSON.stringify([issuer, tokenId]))
    .digest();
  const inserted = await manager.query<unknown[]>(
    'insert into logout_tokens (token_hash, expires_at) values ($1, $2) on conflict do nothing returning 1',
    [hash, expiresAt],
  );
  return inserted.length === 1;
}

import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Origin } from '../../access/principal.js';
import { AuditService } from '../../audit/audit.service.js';
import { currentTime } from '../../database/clock.js';
import { transactLocally } from '../../database/run-transaction.js';
import { ClientCredentialsService } from '../../service-accounts/client-credentials.service.js';
import type { AccessTokenDto } from '../dto/sign-in.dto.js';
import { RateLimitsService } from '../limits/rate-limits.service.js';
import { AccessTokensService } from '../sessions/access-tokens.service.js';
import { invalidClient } from './invalid-client.js';
import type { Client } from './read-token-request.js';

/** Signs service accounts in. */
@Injectable()
export class TokenService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditService,
    private readonly limits: RateLimitsService,
    private readonly credentials: ClientCredentialsService,
    private readonly tokens: AccessTokensService,
  ) {}

  /**
   * Issues an access token to a service account.
   *
   * @throws AppError 401, identical for unknown clients and wrong secrets; 429 after too many failures from one IP
   *   address, or too many tokens
   */
  async issue({ id, secret }: Client, origin: Origin): Promise<AccessTokenDto> {
    // Secrets can't be guessed; the limit bounds the work and the audit events that a misconfigured client causes.
    await this.limits.checkByAddress('client credentials by address', origin.address);
    const { account, secretVersion } = (await this.credentials.check(id, secret)) ?? {};
    if (secretVersion === undefined) await this.limits.spendByAddress('client credentials by address', origin.address);
    const kind = 'service-account';
    if (account === undefined || secretVersion === undefined) {
      // An unknown id causes the same statements as a wrong secret, so that the response time doesn't reveal it.
      const actor = { id: null, organizationId: null, ...account, kind, origin } as const;
      const target = { kind, id: actor.id, name: account?.name ?? null } as const;
      await transactLocally(this.dataSource, (manager) =>
        this.audit.record(manager, actor, { action: 'sign-in-failed', target }),
      );
      throw invalidClient('The client id or the client secret is wrong.');
    }
    const actor = { ...account, kind, origin } as const;
    const target = { kind, id: account.id, name: account.name } as const;
    await this.limits.spend('token by service account', account.id);
    await transactLocally(this.dataSource, async (manager) => {
      await manager.query(`update service_accounts set last_used_at = ${currentTime} where id = $1`, [account.id]);
      await this.audit.record(manager, actor, { action: 'sign-in', target });
    });
    return this.tokens.issueForServiceAccount({ ...account, secretVersion });
  }
}

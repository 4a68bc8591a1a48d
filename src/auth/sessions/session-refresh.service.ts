import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Origin } from '../../access/principal.js';
import { AuditService } from '../../audit/audit.service.js';
import { isElsewhere } from '../../cells/is-elsewhere.js';
import { ServiceConfig } from '../../config/service-config.js';
import { currentTime } from '../../database/clock.js';
import { transactLocally } from '../../database/run-transaction.js';
import { RateLimitsService } from '../limits/rate-limits.service.js';
import { AccessTokensService } from './access-tokens.service.js';
import { formatRefreshToken, generateNonce, hashPart, type RefreshToken, successorOf } from './refresh-token.js';
import { graceSeconds, idleSeconds, maxSeconds, maxSsoSeconds } from './session-lifetimes.js';
import { Session } from './session.entity.js';
import { noOrganization, type OpenedSession, sessionEnded } from './sessions.service.js';

/** A session with its new tokens. */
export interface RefreshedSession extends OpenedSession {
  userId: string;
  organizationId: string;
}

/** A session, and the state of the refresh token in the request. */
interface LockedSession {
  id: string;
  userId: string;
  organizationId: string;
  rotationNonce: Buffer | null;
  token: 'latest' | 'just replaced' | 'used before';
}

@Injectable()
export class SessionRefreshService {
  constructor(
    private readonly config: ServiceConfig,
    private readonly dataSource: DataSource,
    private readonly audit: AuditService,
    private readonly tokens: AccessTokensService,
    private readonly limits: RateLimitsService,
  ) {}

  /**
   * Issues a new access token for the session's organization, and the next refresh token. A token that was replaced
   * earlier than the grace period must have been copied, so it ends its session.
   *
   * @throws AppError 401 if the session has ended or the token was reused; 403 if the user no longer belongs to any
   *   organization; 429 if the session is refreshed too often
   */
  async refresh(token: RefreshToken, origin: Origin): Promise<RefreshedSession> {
    await this.count(token);
    const refreshed = await transactLocally(this.dataSource, async (manager) => {
      const session = await findLocked(manager, token, maxSsoSeconds(this.config));
      switch (session?.token) {
        case undefined:
          return undefined;
        case 'latest':
          return this.rotate(manager, session, token, origin);
        case 'just replaced':
          return this.toOpenedSession(session, successorOf(token, session.rotationNonce ?? Buffer.alloc(0)));
        case 'used before':
          return 'reused';
      }
    });
    // In a separate transaction: it must survive a failover, and the exception must not roll it back.
    if (refreshed === 'reused') await this.dataSource.transaction((manager) => this.endReused(manager, token, origin));
    if (refreshed === undefined || refreshed === 'reused') throw sessionEnded();
    return refreshed;
  }

  /** Rejects unknown tokens first, so they don't add rows. */
  private async count({ family }: RefreshToken): Promise<void> {
    const familyHash = hashPart(family);
    const [session] = await this.dataSource.query<{ id: string }[]>('select id from sessions where family_hash = $1', [
      familyHash,
    ]);
    if (session === undefined) throw sessionEnded();
    await this.limits.spend('refresh by session', session.id);
  }

  private async rotate(
    manager: EntityManager,
    session: LockedSession,
    token: RefreshToken,
    { address, userAgent }: Origin,
  ): Promise<RefreshedSession> {
    const organizationId = await findOrganizationId(manager, session);
    const rotationNonce = generateNonce();
    const successor = successorOf(token, rotationNonce);
    await manager.update(
      Session,
      { id: session.id },
      {
        organizationId,
        address,
        userAgent: userAgent ?? null,
        rotationNonce,
        previousSecretHash: hashPart(token.secret),
        secretHash: hashPart(successor.secret),
        rotatedAt: () => currentTime,
        lastUsedAt: () => currentTime,
        expiresAt: () =>
          `least(${endOfSession(maxSsoSeconds(this.config))}, ${currentTime} + interval '${idleSeconds} seconds')`,
      },
    );
    return this.toOpenedSession({ ...session, organizationId }, successor);
  }

  private async endReused(manager: EntityManager, token: RefreshToken, origin: Origin): Promise<void> {
    const session = await findLocked(manager, token, maxSsoSeconds(this.config));
    if (session?.token !== 'used before') return;
    const { id, userId, organizationId } = session;
    await manager.delete(Session, { id });
    const target = { kind: 'session', id, name: null } as const;
    await this.audit.record(manager, { id: userId, organizationId, origin }, { action: 'session.reuse', target });
  }

  private async toOpenedSession(session: LockedSession, token: RefreshToken): Promise<RefreshedSession> {
    const { id: sessionId, userId, organizationId } = session;
    const accessToken = await this.tokens.issue({ userId, organizationId, sessionId });
    return { ...accessToken, sessionId, userId, organizationId, refreshToken: formatRefreshToken(token) };
  }
}

/** Locks the session, so of two requests with the same token, the second sees the result of the first. */
async function findLocked(
  manager: EntityManager,
  token: RefreshToken,
  ssoSeconds: number,
): Promise<LockedSession | undefined> {
  const [session] = await manager.query<LockedSession[]>(
    `select id, user_id as "userId", organization_id as "organizationId", rotation_nonce as "rotationNonce",
            case when secret_hash = $2 then 'latest'
                 when previous_secret_hash = $2 and rotated_at > ${currentTime} - make_interval(secs => $3)
                   then 'just replaced'
                 else 'used before' end as token
       from sessions
      where family_hash = $1 and least(expires_at, ${endOfSession(ssoSeconds)}) > ${currentTime}
        for update`,
    [hashPart(token.family), hashPart(token.secret), graceSeconds],
  );
  return session;
}

/** SQL for the time at which a session ends even if it is refreshed. */
function endOfSession(ssoSeconds: number): string {
  return `created_at + case when issuer is null then interval '${maxSeconds} seconds' else interval '${ssoSeconds} seconds' end`;
}

/** The session's organization, or the first one that the user joined if they left it or it has moved. */
async function findOrganizationId(manager: EntityManager, session: LockedSession): Promise<string> {
  const [membership] = await manager.query<{ organizationId: string }[]>(
    `select organization_id as "organizationId" from memberships where user_id = $1
      order by ${isElsewhere('memberships.organization_id')}, organization_id = $2 desc, created_at, id limit 1`,
    [session.userId, session.organizationId],
  );
  if (membership === undefined) throw noOrganization();
  return membership.organizationId;
}

import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, type FindOptionsWhere, In, Not } from 'typeorm';
import type { Actor, Origin } from '../../access/principal.js';
import type { AuditAction } from '../../audit/audit-actions.js';
import { AuditService } from '../../audit/audit.service.js';
import { notFound } from '../../common/errors/app-error.js';
import { inFuture } from '../../database/clock.js';
import { AccessTokensService } from './access-tokens.service.js';
import { hashPart, parseRefreshToken } from './refresh-token.js';
import { Session } from './session.entity.js';

/** Credentials in a sign-out request. */
interface Credentials {
  refreshTokens: string[];
  accessToken: string | undefined;
}

/** A logout at the identity provider; at least one of `subject` and `providerSessionId` is known. */
interface LogoutAtProvider {
  issuer: string;
  subject: string | undefined;
  providerSessionId: string | undefined;
}

interface RevokedSession {
  id: string;
  user_id: string;
  organization_id: string;
}

/** Revokes sessions. Their refresh and access tokens are rejected as soon as the transaction is committed. */
@Injectable()
export class SessionRevocationService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditService,
    private readonly tokens: AccessTokensService,
  ) {}

  /** Revokes the sessions of the tokens. Expired access tokens count; unknown tokens are ignored. */
  async signOut({ refreshTokens, accessToken }: Credentials, origin: Origin): Promise<void> {
    const families = refreshTokens.map((text) => parseRefreshToken(text)?.family).filter((one) => one !== undefined);
    const sessionId = accessToken === undefined ? undefined : await this.tokens.findSessionId(accessToken);
    await this.dataSource.transaction(async (manager) => {
      for (const family of families) await this.revoke(manager, { familyHash: hashPart(family) }, 'sign-out', origin);
      if (sessionId !== undefined) await this.revoke(manager, { id: sessionId }, 'sign-out', origin);
    });
  }

  /**
   * Revokes one of the actor's sessions, possibly the current one.
   *
   * @throws AppError 404 for unknown, malformed and foreign ids
   */
  async revokeOne(actor: Actor, id: string): Promise<void> {
    const which = { id, userId: actor.id };
    const revoked = await this.dataSource.transaction((manager) => {
      return this.revoke(manager, which, 'session.end', actor.origin);
    });
    if (revoked === 0) throw notFound('session');
  }

  /** Revokes all of the actor's sessions except the current one, and returns their number. */
  revokeOthers(actor: Actor): Promise<number> {
    return this.dataSource.transaction((manager) => this.revokeOthersWithin(manager, actor));
  }

  /** Like `revokeOthers`, within the manager's transaction. Without a current session, revokes all. */
  revokeOthersWithin(manager: EntityManager, actor: Pick<Actor, 'id' | 'sessionId' | 'origin'>): Promise<number> {
    const { id: userId, sessionId } = actor;
    const others = sessionId === undefined ? { userId } : { userId, id: Not(sessionId) };
    return this.revoke(manager, others, 'session.end', actor.origin);
  }

  /**
   * Revokes the sessions of a person who signed out at the identity provider: those that belong to one session there,
   * or all that were opened through it. A session whose session at the provider is unknown counts as part of every one.
   */
  async revokeFromProvider(
    manager: EntityManager,
    { issuer, subject, providerSessionId }: LogoutAtProvider,
    origin: Origin,
  ): Promise<void> {
    const sessions =
      subject === undefined
        ? await manager.query<{ id: string }[]>(
            'select id from sessions where issuer = $1 and provider_session_id = $2',
            [issuer, providerSessionId],
          )
        : await manager.query<{ id: string }[]>(
            `select session.id from sessions session
               join user_identities identity on identity.user_id = session.user_id and identity.issuer = session.issuer
              where session.issuer = $1 and identity.subject = $2
                and ($3::text is null or session.provider_session_id is null or session.provider_session_id = $3)`,
            [issuer, subject, providerSessionId ?? null],
          );
    const which = { id: In(sessions.map(({ id }) => id)) };
    await this.revoke(manager, which, 'session.logout', origin);
  }

  private async revoke(
    manager: EntityManager,
    which: FindOptionsWhere<Session>,
    action: AuditAction,
    origin: Origin,
  ): Promise<number> {
    const result = await manager
      .createQueryBuilder()
      .delete()
      .from(Session)
      .where({ ...which, expiresAt: inFuture() })
      .returning(['id', 'userId', 'organizationId'])
      .execute();
    const revoked = result.raw as RevokedSession[];
    for (const { id, user_id: userId, organization_id: organizationId } of revoked) {
      const target = { kind: 'session', id, name: null } as const;
      await this.audit.record(manager, { id: userId, organizationId, origin }, { action, target });
    }
    return revoked.length;
  }
}

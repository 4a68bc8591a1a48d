import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, type FindOptionsWhere, In, Not, Raw } from 'typeorm';
import type { AuditAction } from '../../audit/audit-actions.js';
import { AuditService } from '../../audit/audit.service.js';
import { notFound } from '../../common/errors/app-error.js';
import type { Actor, Origin } from '../../access/actor.js';
import { AccessTokensService } from './access-tokens.service.js';
import { hashPart, parseRefreshToken } from './refresh-token.js';
import { currentTime } from './session-lifetimes.js';
import { Session } from './session.entity.js';

/** Credentials of a client that signs out. */
interface Credentials {
  refreshTokens: string[];
  accessToken: string | undefined;
}

/** A logout at the identity provider; at least one of `subject` and `providerSessionId` is known. */
interface EndedAtProvider {
  issuer: string;
  subject: string | undefined;
  providerSessionId: string | undefined;
}

interface EndedSession {
  id: string;
  user_id: string;
  organization_id: string;
}

/** Ends sessions. Their refresh and access tokens are refused from the moment that this is committed. */
@Injectable()
export class SessionRevocationService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditService,
    private readonly tokens: AccessTokensService,
  ) {}

  /** Ends the sessions that the tokens belong to, expired ones too; whoever is signed out already stays so. */
  async signOut({ refreshTokens, accessToken }: Credentials, origin: Origin): Promise<void> {
    const families = refreshTokens.map((text) => parseRefreshToken(text)?.family).filter((one) => one !== undefined);
    const sessionId = accessToken === undefined ? undefined : await this.tokens.findSessionId(accessToken);
    await this.dataSource.transaction(async (manager) => {
      for (const family of families) await this.end(manager, { familyHash: hashPart(family) }, 'sign-out', origin);
      if (sessionId !== undefined) await this.end(manager, { id: sessionId }, 'sign-out', origin);
    });
  }

  /**
   * Ends one session of the actor, which may be the current one.
   *
   * @throws AppError 404 for an unknown, malformed or foreign id
   */
  async endOne(actor: Actor, id: string): Promise<void> {
    const which = { id, userId: actor.id };
    const ended = await this.dataSource.transaction((manager) => {
      return this.end(manager, which, 'session.end', actor.origin);
    });
    if (ended === 0) throw notFound('session');
  }

  /** Ends all sessions of the actor but the current one, and returns how many these were. */
  endOthers(actor: Actor): Promise<number> {
    return this.dataSource.transaction((manager) => this.endOthersWithin(manager, actor));
  }

  /** The same as part of the manager's transaction. Without a current session, all of them end. */
  endOthersWithin(manager: EntityManager, actor: Pick<Actor, 'id' | 'sessionId' | 'origin'>): Promise<number> {
    const { id: userId, sessionId } = actor;
    const others = sessionId === undefined ? { userId } : { userId, id: Not(sessionId) };
    return this.end(manager, others, 'session.end', actor.origin);
  }

  /**
   * Ends the sessions of a person who has signed out at the identity provider: those of one session there, or all that
   * the provider has opened. Sessions of which the provider named no session count as part of each.
   *
   * @param manager of the transaction to be part of
   */
  async endAtProvider(
    manager: EntityManager,
    { issuer, subject, providerSessionId }: EndedAtProvider,
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
    await this.end(manager, which, 'session.logout', origin);
  }

  private async end(
    manager: EntityManager,
    which: FindOptionsWhere<Session>,
    action: AuditAction,
    origin: Origin,
  ): Promise<number> {
    const result = await manager
      .createQueryBuilder()
      .delete()
      .from(Session)
      .where({ ...which, expiresAt: Raw((column) => `${column} > ${currentTime}`) })
      .returning(['id', 'userId', 'organizationId'])
      .execute();
    const ended = result.raw as EndedSession[];
    for (const { id, user_id: userId, organization_id: organizationId } of ended) {
      const target = { kind: 'session', id, name: null } as const;
      await this.audit.record(manager, { id: userId, organizationId, origin }, { action, target });
    }
    return ended.length;
  }
}

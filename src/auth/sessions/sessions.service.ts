import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Permission } from '../../access/permissions.js';
import type { Origin, Principal } from '../../access/principal.js';
import { isElsewhere } from '../../cells/is-elsewhere.js';
import { MovedOrganizations } from '../../cells/moved-organizations.service.js';
import { AppError, unauthenticated } from '../../common/errors/app-error.js';
import { ServiceConfig } from '../../config/service-config.js';
import { currentTime, inFuture } from '../../database/clock.js';
import { MailService } from '../../mail/mail.service.js';
import { permissionsOfMembership } from '../../organizations/memberships.service.js';
import type { AccessTokenDto } from '../dto/sign-in.dto.js';
import { type AccessClaims, AccessTokensService } from './access-tokens.service.js';
import { maxSessions, type SessionDto } from './dto/session.dto.js';
import { formatRefreshToken, generateRefreshToken, hashPart } from './refresh-token.js';
import { idleSeconds, maxSsoSeconds } from './session-lifetimes.js';
import { Session } from './session.entity.js';

/** A session's tokens: the access token for the body, the refresh token for the cookie. */
export interface OpenedSession extends AccessTokenDto {
  sessionId: string;
  refreshToken: string;
}

interface OpenSessionOptions {
  userId: string;
  /** The user must be a member. */
  organizationId: string;
  origin: Origin;
  /** Set for single sign-on; `sessionId` is the provider's `sid`, if any. */
  provider?: { issuer: string; sessionId: string | undefined };
}

/** A 401 for the tokens of a session that has ended. */
export function sessionEnded(): AppError {
  return unauthenticated('invalid-credential', 'The session has ended. Sign in again.');
}

/** A 403 for a user who can't have a session, because every session is in an organization. */
export function noOrganization(): AppError {
  return new AppError(
    'no-organization',
    "Your account isn't a member of any organization. Ask an administrator for an invitation.",
  );
}

@Injectable()
export class SessionsService {
  constructor(
    private readonly config: ServiceConfig,
    private readonly dataSource: DataSource,
    private readonly tokens: AccessTokensService,
    private readonly mail: MailService,
    private readonly moved: MovedOrganizations,
  ) {}

  /**
   * Opens a session for a user who has just authenticated. The caller records the audit event.
   *
   * @param manager of the caller's transaction
   */
  async open(
    { userId, organizationId, origin, provider }: OpenSessionOptions,
    manager = this.dataSource.manager,
  ): Promise<OpenedSession> {
    const sessionId = uuidv7();
    const token = generateRefreshToken();
    const firstSeconds = provider === undefined ? idleSeconds : Math.min(idleSeconds, maxSsoSeconds(this.config));
    await manager.insert(Session, {
      id: sessionId,
      userId,
      organizationId,
      familyHash: hashPart(token.family),
      secretHash: hashPart(token.secret),
      address: origin.address,
      userAgent: origin.userAgent ?? null,
      issuer: provider?.issuer ?? null,
      providerSessionId: provider?.sessionId ?? null,
      expiresAt: () => `now() + interval '${firstSeconds} seconds'`,
    });
    await this.mail.noteSignIn(manager, { userId, organizationId, origin });
    const accessToken = await this.tokens.issue({ userId, organizationId, sessionId });
    return { ...accessToken, sessionId, refreshToken: formatRefreshToken(token) };
  }

  /**
   * Switches the session to another organization. The refresh token doesn't change, and the access token for the
   * previous organization stays valid until it expires. The caller checks the membership.
   *
   * @returns an access token for the organization
   * @throws AppError 401 if the session has ended
   */
  async switchOrganization(sessionId: string, organizationId: string): Promise<AccessTokenDto> {
    const [[session]] = await this.dataSource.query<[rows: { userId: string }[], affected: number]>(
      `update sessions set organization_id = $2 where id = $1 and expires_at > ${currentTime} returning user_id as "userId"`,
      [sessionId, organizationId],
    );
    if (session === undefined) throw sessionEnded();
    return this.tokens.issue({ userId: session.userId, organizationId, sessionId });
  }

  /** Lists the user's sessions, most recently used first. */
  async list({ id: userId, sessionId }: Principal): Promise<SessionDto[]> {
    const sessions = await this.dataSource.manager.find(Session, {
      where: { userId, expiresAt: inFuture() },
      order: { lastUsedAt: 'DESC', id: 'DESC' },
      take: maxSessions,
    });
    return sessions.map(({ id, createdAt, lastUsedAt, expiresAt, address, userAgent }) => ({
      id,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
      address,
      userAgent,
      isCurrent: id === sessionId,
    }));
  }

  /**
   * Reads the user's current permissions in the organization, in one query for each management request.
   *
   * @throws AppError 401 if the session has ended, the user is no longer a member or the organization has moved; 503 while
   *   another cell starts to serve it
   */
  async getPermissions({ sessionId, userId, organizationId }: AccessClaims): Promise<Permission[]> {
    const [found] = await this.dataSource.query<{ permissions: Permission[] | null }[]>(
      `select case when not ${isElsewhere('$3')} then ${permissionsOfMembership} end as permissions
         from sessions session
         left join memberships membership
           on membership.user_id = session.user_id and membership.organization_id = $3
        where session.id = $1 and session.user_id = $2 and session.expires_at > ${currentTime}`,
      [sessionId, userId, organizationId],
    );
    if (found === undefined) throw sessionEnded();
    if (found.permissions === null) {
      const moved = await this.moved.explainLostAccess(organizationId);
      throw moved ?? unauthenticated('invalid-credential', 'You are no longer a member of this organization.');
    }
    return found.permissions;
  }
}

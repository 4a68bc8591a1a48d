import { Injectable } from '@nestjs/common';
import { NIL } from 'uuid';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import { AppError, unauthenticated } from '../common/errors/app-error.js';
import { MembershipsService } from '../organizations/memberships.service.js';
import type { User } from '../organizations/user.entity.js';
import { UsersService } from '../organizations/users.service.js';
import type { Origin } from './actor.js';
import type { MeDto } from './dto/me.dto.js';
import type { SignInDto } from './dto/sign-in.dto.js';
import { isPasswordRight } from './password.js';
import type { Principal } from './principal.js';
import { type OpenedSession, SessionsService } from './sessions/sessions.service.js';

/** What an attempt to sign in is about. */
interface Attempt {
  email: string;
  user: User | undefined;
  /** The one that the user has been a member of the longest. */
  organizationId: string | undefined;
  origin: Origin;
}

@Injectable()
export class AuthService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditService,
    private readonly users: UsersService,
    private readonly memberships: MembershipsService,
    private readonly sessions: SessionsService,
  ) {}

  /**
   * Opens a session in the organization that the user has been a member of the longest.
   *
   * @throws AppError 401 alike for an unknown e-mail address and a wrong password; 403 without an organization
   */
  async signIn({ email, password }: SignInDto, origin: Origin): Promise<OpenedSession> {
    const user = await this.users.findByEmail(email);
    // Asked for an unknown account, too, so that the time of an answer does not tell which accounts exist.
    const organizationId = await this.memberships.findFirstOrganizationId(user?.id ?? NIL);
    const attempt = { email, user, organizationId, origin };
    if (!(await isPasswordRight(password, user?.passwordHash)) || user === undefined) {
      return this.refuse(attempt, unauthenticated('sign-in-failed', 'The e-mail address or the password is wrong.'));
    }
    if (organizationId === undefined) {
      return this.refuse(attempt, new AppError('no-organization', 'Your account belongs to no organization.'));
    }
    return this.dataSource.transaction((manager) => this.openSession(manager, user, organizationId, origin));
  }

  /** The user behind the principal, with organization, role and permissions. */
  async describe(principal: Principal): Promise<MeDto> {
    const { user, organization, role } = await this.memberships.get(principal.id, principal.organizationId);
    return {
      user: { id: user.id, email: user.email, name: user.name },
      organization: { id: organization.id, name: organization.name },
      role: { id: role.id, name: role.name },
      permissions: role.permissions,
    };
  }

  private async openSession(
    manager: EntityManager,
    user: User,
    organizationId: string,
    origin: Origin,
  ): Promise<OpenedSession> {
    const session = await this.sessions.open({ userId: user.id, organizationId, origin }, manager);
    const actor = { id: user.id, organizationId, origin };
    const target = { kind: 'session', id: session.sessionId, name: null } as const;
    await this.audit.record(manager, actor, { action: 'sign-in', target });
    return session;
  }

  /** @throws AppError always: the error, once the audit log has the attempt */
  private async refuse({ email, user, organizationId, origin }: Attempt, error: AppError): Promise<never> {
    const actor = { id: user?.id ?? null, email, organizationId: organizationId ?? null, origin };
    const target = { kind: 'user', id: user?.id ?? null, name: email } as const;
    await this.audit.record(this.dataSource.manager, actor, { action: 'sign-in-failed', target });
    throw error;
  }
}

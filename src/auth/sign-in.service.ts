import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { NIL } from 'uuid';
import type { Origin } from '../access/principal.js';
import { AuditService } from '../audit/audit.service.js';
import { type AppError, unauthenticated } from '../common/errors/app-error.js';
import { transactLocally } from '../database/run-transaction.js';
import { MetricsService } from '../metrics/metrics.service.js';
import { MembershipsService } from '../organizations/memberships.service.js';
import { User } from '../organizations/user.entity.js';
import type { SignInDto } from './dto/sign-in.dto.js';
import { LimitReachedError } from './limits/rate-limits.service.js';
import { SignInLimitsService } from './limits/sign-in-limits.service.js';
import { isPasswordCorrect } from './password.js';
import { noOrganization, type OpenedSession, SessionsService } from './sessions/sessions.service.js';
import { lockPassword, UsersService } from './users.service.js';

/** One sign-in attempt. */
interface Attempt {
  /** As entered. */
  email: string;
  user: User | undefined;
  /** The organization that the user joined first. */
  organizationId: string | undefined;
  origin: Origin;
}

@Injectable()
export class SignInService {
  /** Since the start. */
  private failureCount = 0;

  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditService,
    private readonly limits: SignInLimitsService,
    private readonly users: UsersService,
    private readonly memberships: MembershipsService,
    private readonly sessions: SessionsService,
    metrics: MetricsService,
  ) {
    const read = () => this.failureCount;
    metrics.add({
      kind: 'counter',
      name: 'keycard_sign_in_failures_total',
      help: 'Failed sign-ins with a password.',
      read,
    });
  }

  /**
   * Opens a session in the organization that the user joined first.
   *
   * @throws AppError 401, identical for an unknown email and a wrong password; 403 without an organization; 429 after
   *   too many failed attempts
   */
  async signIn({ email, password }: SignInDto, origin: Origin): Promise<OpenedSession> {
    const counted = await this.limits
      .count(email, origin.address)
      .catch((error: unknown) => this.block(email, origin, error));
    const user = await this.users.findByEmail(email);
    // Queried for unknown accounts too, so the response time doesn't reveal which accounts exist.
    const organizationId = await this.memberships.findFirstOrganizationId(user?.id ?? NIL);
    const attempt = { email, user, organizationId, origin };
    const isCorrect = await counted.judge(isPasswordCorrect(password, user?.passwordHash));
    if (user === undefined || !isCorrect) return this.reject(attempt, wrongCredentials());
    if (organizationId === undefined) {
      return this.reject(attempt, noOrganization());
    }
    const session = await transactLocally(this.dataSource, (manager) =>
      this.open(manager, user, organizationId, origin),
    );
    return session ?? this.reject(attempt, wrongCredentials());
  }

  /** @returns undefined if the password has changed since it was checked */
  private async open(
    manager: EntityManager,
    user: User,
    organizationId: string,
    origin: Origin,
  ): Promise<OpenedSession | undefined> {
    if (!(await lockPassword(manager, user))) return undefined;
    const { id: userId } = user;
    const session = await this.sessions.open({ userId, organizationId, origin }, manager);
    const target = { kind: 'session', id: session.sessionId, name: null } as const;
    await this.audit.record(manager, { id: userId, organizationId, origin }, { action: 'sign-in', target });
    return session;
  }

  /** Records the first attempt that a limit rejects, for unknown accounts too, then throws the error. */
  private async block(email: string, origin: Origin, error: unknown): Promise<never> {
    if (!(error instanceof LimitReachedError) || !error.isFirst) throw error;
    const user = await this.users.findByEmail(email);
    const organizationId = await this.memberships.findFirstOrganizationId(user?.id ?? NIL);
    const actor = { id: user?.id ?? null, email, organizationId: organizationId ?? null, origin };
    const target = { kind: 'user', id: user?.id ?? null, name: email } as const;
    await transactLocally(this.dataSource, (manager) =>
      this.audit.record(manager, actor, { action: 'sign-in-blocked', target }),
    );
    throw error;
  }

  /** Records the failed attempt, then throws the error. */
  private async reject({ email, user, organizationId, origin }: Attempt, error: AppError): Promise<never> {
    const actor = { id: user?.id ?? null, email, organizationId: organizationId ?? null, origin };
    this.failureCount += 1;
    const target = { kind: 'user', id: user?.id ?? null, name: email } as const;
    await transactLocally(this.dataSource, (manager) => {
      return this.audit.record(manager, actor, { action: 'sign-in-failed', target });
    });
    throw error;
  }
}

function wrongCredentials(): AppError {
  return unauthenticated('sign-in-failed', 'Incorrect email or password.');
}

import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Origin } from '../../access/principal.js';
import { AuditService } from '../../audit/audit.service.js';
import { type AppError, unauthenticated } from '../../common/errors/app-error.js';
import { errorMessage } from '../../common/errors/error-utils.js';
import { transactLocally } from '../../database/run-transaction.js';
import { type OpenedSession, SessionsService } from '../sessions/sessions.service.js';
import { AdmissionService } from './admission.service.js';
import type { MembershipContext } from './decide-membership.js';
import { OidcInvitationService } from './oidc-invitation.service.js';
import type { ProviderClaims } from './provider-claims.js';
import { hasLoggedOut } from './recent-logouts.js';

/** Opens sessions for people authenticated by the identity provider. */
@Injectable()
export class OidcSignInService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditService,
    private readonly admission: AdmissionService,
    private readonly invitations: OidcInvitationService,
    private readonly sessions: SessionsService,
  ) {}

  /**
   * Opens a session in the claimed organization, or the inviting one. Failures are recorded in the audit log.
   *
   * @param claims that the provider returned for this browser
   * @param invitationId of the invitation to accept, if any
   * @throws AppError 401 if the person has since signed out at the provider; 403 if they aren't admitted; 404 or 409 if
   *   the invitation can't be accepted
   */
  async signIn(claims: ProviderClaims, origin: Origin, invitationId?: string): Promise<OpenedSession> {
    try {
      const context =
        invitationId === undefined
          ? await this.admission.admit(claims, origin)
          : await this.invitations.accept(claims, invitationId, origin);
      return await this.openSession(context, claims);
    } catch (error) {
      await this.recordFailure(claims, origin, errorMessage(error));
      throw error;
    }
  }

  private openSession(context: MembershipContext, claims: ProviderClaims): Promise<OpenedSession> {
    const { issuer, providerSessionId } = claims;
    return transactLocally(this.dataSource, async (manager) => {
      if (await hasLoggedOut(manager, claims)) throw loggedOut();
      const session = await this.sessions.open(
        { ...context, provider: { issuer, sessionId: providerSessionId } },
        manager,
      );
      const actor = { id: context.userId, organizationId: context.organizationId, origin: context.origin };
      const target = { kind: 'session', id: session.sessionId, name: null } as const;
      await this.audit.record(manager, actor, { action: 'sign-in', target });
      return session;
    });
  }

  private async recordFailure(claims: ProviderClaims, origin: Origin, reason: string): Promise<void> {
    const id = (await this.admission.findUserId(claims)) ?? null;
    const name = claims.email ?? claims.subject;
    const actor = { id, email: name, organizationId: null, origin };
    const target = { kind: 'user', id, name } as const;
    await transactLocally(this.dataSource, (manager) => {
      return this.audit.record(manager, actor, { action: 'sign-in-failed', target, after: { reason } });
    });
  }
}

function loggedOut(): AppError {
  const detail = 'You signed out at the identity provider during this sign-in. Sign in again.';
  return unauthenticated('sign-in-failed', detail);
}

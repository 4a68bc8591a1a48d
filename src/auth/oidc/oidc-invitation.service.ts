import { Injectable } from '@nestjs/common';
import type { Origin } from '../../access/principal.js';
import { AppError } from '../../common/errors/app-error.js';
import { OpenInvitationsService } from '../invitations/open-invitations.service.js';
import type { MembershipContext } from './decide-membership.js';
import { IdentitiesService, lockPerson, verifiedEmail } from './identities.service.js';
import type { ProviderClaims } from './provider-claims.js';
import { UnverifiedAccountsService } from './unverified-accounts.service.js';

/** Accepts invitations of people authenticated by the identity provider. */
@Injectable()
export class OidcInvitationService {
  constructor(
    private readonly invitations: OpenInvitationsService,
    private readonly identities: IdentitiesService,
    private readonly unverified: UnverifiedAccountsService,
  ) {}

  /**
   * Adds the person to the inviting organization. Ignores the provider's organization and roles: Keycard manages this
   * membership.
   *
   * @param claims for the browser that sent the invitation's token
   * @throws AppError 403 if the claims don't include the invited email, verified; 404 if the invitation is no longer
   *   open; 409 if the person is already a member
   */
  async accept(claims: ProviderClaims, invitationId: string, origin: Origin): Promise<MembershipContext> {
    const invitation = await this.invitations.findById(invitationId);
    const email = verifiedEmail(claims);
    if (email !== invitation.email) throw emailMismatch(invitation.email, email);
    return this.invitations.accept(invitation, origin, {
      findUserId: async (manager) => {
        await lockPerson(manager, claims);
        return this.identities.findOrCreateUserId(manager, claims);
      },
      finish: async (manager, accepted) => {
        await this.unverified.secure(manager, { ...accepted, name: claims.name });
        return accepted;
      },
    });
  }
}

function emailMismatch(invited: string, email: string): AppError {
  return new AppError(
    'invitation-mismatch',
    `The invitation is for ${invited}, but your email at the identity provider is ${email}.`,
  );
}

import { Injectable } from '@nestjs/common';
import { AppError } from '../../common/errors/app-error.js';
import { OpenInvitationsService } from '../invitations/open-invitations.service.js';
import type { Origin } from '../../access/actor.js';
import { IdentitiesService, lockPerson, verifiedEmail } from './identities.service.js';
import type { MembershipContext } from './decide-membership.js';
import type { ProviderClaims } from './provider-claims.js';
import { UnverifiedAccountsService } from './unverified-accounts.service.js';

/** Accepts invitations for people whom the identity provider has signed in. */
@Injectable()
export class OidcInvitationService {
  constructor(
    private readonly invitations: OpenInvitationsService,
    private readonly identities: IdentitiesService,
    private readonly unverified: UnverifiedAccountsService,
  ) {}

  /**
   * Makes the person a member of the organization that has invited them. What the provider says of organizations and
   * roles does not matter here: the membership is managed in Keycard.
   *
   * @param claims that the provider has just returned for the browser that has shown the invitation's token
   * @throws AppError 403 when the provider does not vouch for the invited address; 404 when the invitation is no longer
   * open; 409 for who is a member already
   */
  async accept(claims: ProviderClaims, invitationId: string, origin: Origin): Promise<MembershipContext> {
    const invitation = await this.invitations.findById(invitationId);
    const email = verifiedEmail(claims);
    if (email !== invitation.email) throw isForAnother(invitation.email, email);
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

function isForAnother(invited: string, email: string): AppError {
  return new AppError(
    'invitation-mismatch',
    `The invitation is for ${invited}, and your identity provider knows you as ${email}.`,
  );
}

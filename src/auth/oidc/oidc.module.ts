import { Module } from '@nestjs/common';
import { OrganizationsModule } from '../../organizations/organizations.module.js';
import { AcceptInvitationModule } from '../invitations/accept-invitation.module.js';
import { SignInLimitsModule } from '../limits/sign-in-limits.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { AdmissionService } from './admission.service.js';
import { BackchannelLogoutController } from './backchannel-logout.controller.js';
import { BackchannelLogoutService } from './backchannel-logout.service.js';
import { IdentitiesService } from './identities.service.js';
import { IdentityProviderService } from './identity-provider.service.js';
import { OidcInvitationController } from './oidc-invitation.controller.js';
import { OidcInvitationService } from './oidc-invitation.service.js';
import { OidcSignInService } from './oidc-sign-in.service.js';
import { OidcController } from './oidc.controller.js';
import { ProviderClientService } from './provider-client.service.js';
import { ProviderTokensService } from './provider-tokens.service.js';
import { ProvisionedMembershipsService } from './provisioned-memberships.service.js';
import { ProvisioningService } from './provisioning.service.js';
import { UnverifiedAccountsService } from './unverified-accounts.service.js';

/** Single sign-on through an OpenID provider. */
@Module({
  imports: [AcceptInvitationModule, SignInLimitsModule, OrganizationsModule, SessionsModule],
  controllers: [BackchannelLogoutController, OidcController, OidcInvitationController],
  providers: [
    AdmissionService,
    BackchannelLogoutService,
    IdentitiesService,
    IdentityProviderService,
    OidcInvitationService,
    OidcSignInService,
    ProviderClientService,
    ProviderTokensService,
    ProvisionedMembershipsService,
    ProvisioningService,
    UnverifiedAccountsService,
  ],
  exports: [ProviderTokensService],
})
export class OidcModule {}

import { Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { AccessCheckService } from '../access/access-check.service.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { ServiceAccountsModule } from '../service-accounts/service-accounts.module.js';
import { AuthController } from './auth.controller.js';
import { CurrentUserService } from './current-user.service.js';
import { AuthenticationGuard, CreationLimitGuard, JwtStrategy, PermissionGuard } from './guards/access.guards.js';
import { AcceptInvitationModule } from './invitations/accept-invitation.module.js';
import { SignInLimitsModule } from './limits/sign-in-limits.module.js';
import { OidcModule } from './oidc/oidc.module.js';
import { OrganizationSwitchController } from './organization-switch.controller.js';
import { PasswordChangeService } from './password-change.service.js';
import { PasswordResetsController } from './password-reset/password-resets.controller.js';
import { PasswordResetsService } from './password-reset/password-resets.service.js';
import { SessionRefreshController } from './session-refresh.controller.js';
import { SessionsModule } from './sessions/sessions.module.js';
import { SignInService } from './sign-in.service.js';
import { TokenController } from './token/token.controller.js';
import { TokenService } from './token/token.service.js';

@Module({
  imports: [
    DiscoveryModule,
    AcceptInvitationModule,
    SignInLimitsModule,
    OidcModule,
    OrganizationsModule,
    ServiceAccountsModule,
    SessionsModule,
  ],
  controllers: [
    AuthController,
    OrganizationSwitchController,
    PasswordResetsController,
    SessionRefreshController,
    TokenController,
  ],
  providers: [
    AccessCheckService,
    CurrentUserService,
    JwtStrategy,
    PasswordChangeService,
    PasswordResetsService,
    SignInService,
    TokenService,
    // Guards run in this order.
    { provide: APP_GUARD, useClass: AuthenticationGuard },
    { provide: APP_GUARD, useClass: PermissionGuard },
    { provide: APP_GUARD, useClass: CreationLimitGuard },
  ],
})
export class AuthModule {}

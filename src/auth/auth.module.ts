import { Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { AccessCheckService } from '../access/access-check.service.js';
import { AuthController } from './auth.controller.js';
import { AuthService } from './auth.service.js';
import { AuthenticationGuard } from './guards/authentication.guard.js';
import { PermissionGuard } from '../access/permission.guard.js';
import { InvitationAcceptanceModule } from './invitations/invitation-acceptance.module.js';
import { CreationLimitGuard } from './limits/creation-limit.guard.js';
import { LimitsModule } from './limits/limits.module.js';
import { OidcModule } from './oidc/oidc.module.js';
import { OrganizationAccessController } from './organization-access.controller.js';
import { PasswordChangeService } from './password-change.service.js';
import { PasswordResetsController } from './password-reset/password-resets.controller.js';
import { PasswordResetsService } from './password-reset/password-resets.service.js';
import { SessionsModule } from './sessions/sessions.module.js';
import { SignInService } from './sign-in.service.js';
import { JwtStrategy } from './strategies/jwt.strategy.js';

@Module({
  imports: [DiscoveryModule, InvitationAcceptanceModule, LimitsModule, OidcModule, OrganizationsModule, SessionsModule],
  controllers: [AuthController, OrganizationAccessController, PasswordResetsController],
  providers: [
    AccessCheckService,
    AuthService,
    JwtStrategy,
    PasswordChangeService,
    PasswordResetsService,
    SignInService,
    // In this order: the principal, what it may do, how often.
    { provide: APP_GUARD, useClass: AuthenticationGuard },
    { provide: APP_GUARD, useClass: PermissionGuard },
    { provide: APP_GUARD, useClass: CreationLimitGuard },
  ],
})
export class AuthModule {}

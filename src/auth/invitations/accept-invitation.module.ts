import { Module } from '@nestjs/common';
import { SignInLimitsModule } from '../limits/sign-in-limits.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { UsersService } from '../users.service.js';
import { AcceptInvitationController } from './accept-invitation.controller.js';
import { AcceptInvitationService } from './accept-invitation.service.js';
import { OpenInvitationsService } from './open-invitations.service.js';

/** Accepting invitations by their token. */
@Module({
  imports: [SignInLimitsModule, SessionsModule],
  controllers: [AcceptInvitationController],
  providers: [AcceptInvitationService, OpenInvitationsService, UsersService],
  exports: [OpenInvitationsService, UsersService],
})
export class AcceptInvitationModule {}

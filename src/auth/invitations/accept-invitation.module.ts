import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Invitation } from '../../organizations/invitations/invitation.entity.js';
import { User } from '../../organizations/user.entity.js';
import { LimitsModule } from '../limits/limits.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { UsersService } from '../users.service.js';
import { AcceptInvitationService } from './accept-invitation.service.js';
import { AcceptInvitationController } from './accept-invitation.controller.js';
import { OpenInvitationsService } from './open-invitations.service.js';

/** Becoming a member by the token of an invitation. */
@Module({
  imports: [LimitsModule, SessionsModule, TypeOrmModule.forFeature([Invitation, User])],
  controllers: [AcceptInvitationController],
  providers: [AcceptInvitationService, OpenInvitationsService, UsersService],
  exports: [OpenInvitationsService, UsersService],
})
export class AcceptInvitationModule {}

import { Body, Controller, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import {
  ApiForbiddenResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiTags,
  ApiUnauthorizedResponse,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Audited } from '../audit/audited.js';
import { ApiBodyErrors, ApiTooManyAttempts, ApiUnavailable, problemContent } from '../common/errors/api-errors.js';
import { AppError } from '../common/errors/app-error.js';
import { challengeHeader } from '../common/http/api-headers.js';
import { ApiConflict } from '../common/http/api-resource.js';
import { AcceptInvitationService } from '../organizations/invitations/accept-invitation.service.js';
import { AcceptInvitationDto } from '../organizations/invitations/dto/accept-invitation.dto.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import type { Actor, Origin } from './actor.js';
import { Public, SignedIn } from './decorators/access.js';
import { CurrentActor, CurrentOrigin } from './decorators/current-actor.js';
import { AccessTokenDto } from './dto/sign-in.dto.js';
import { SwitchOrganizationDto } from './dto/switch-organization.dto.js';
import { PasswordSignInGuard } from './guards/password-sign-in.guard.js';
import { answerWithSession, ApiSessionResponse } from './sessions/session-answer.js';
import { SessionsService } from './sessions/sessions.service.js';

/** The ways into an organization other than signing in. */
@ApiTags('Sign-in')
@Controller('auth')
export class OrganizationAccessController {
  constructor(
    private readonly organizations: OrganizationsService,
    private readonly invitations: AcceptInvitationService,
    private readonly sessions: SessionsService,
  ) {}

  /** Get a token for another organization that you belong to; `GET /organizations` lists them. */
  @Post('switch-organization')
  @HttpCode(200)
  @SignedIn()
  @Audited('organization.switch')
  @ApiOkResponse({ type: AccessTokenDto, description: 'A token for that organization.' })
  @ApiNotFoundResponse({ ...problemContent, description: 'You belong to no organization with this id.' })
  @ApiBodyErrors()
  async switchOrganization(
    @CurrentActor() actor: Actor,
    @Body() { organizationId }: SwitchOrganizationDto,
  ): Promise<AccessTokenDto> {
    if (actor.sessionId === undefined) throw tokenHasNoSession();
    await this.organizations.enter(actor, organizationId);
    return this.sessions.switchOrganization(actor.sessionId, organizationId);
  }

  /** Become a member by the token of an invitation; without an account yet, one is created. Signs you in. */
  @Post('accept-invitation')
  @HttpCode(200)
  @Public()
  @UseGuards(PasswordSignInGuard)
  @Audited('invitation.accept', 'sign-in-failed')
  @ApiSessionResponse()
  @ApiUnauthorizedResponse({
    ...problemContent,
    headers: challengeHeader,
    description: 'The invited address has an account, and this is not its password.',
  })
  @ApiForbiddenResponse({ ...problemContent, description: 'Passwords are not used here.' })
  @ApiNotFoundResponse({ ...problemContent, description: 'The token is wrong, used, withdrawn or expired.' })
  @ApiConflict('The account is a member already, or was created at the same moment.')
  @ApiBodyErrors()
  @ApiTooManyAttempts()
  @ApiUnavailable(problemContent)
  async acceptInvitation(
    @Body() body: AcceptInvitationDto,
    @CurrentOrigin() origin: Origin,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AccessTokenDto> {
    const { userId, organizationId } = await this.invitations.accept(body, origin);
    return answerWithSession(request, reply, await this.sessions.open({ userId, organizationId, origin }));
  }
}

function tokenHasNoSession(): AppError {
  return new AppError(
    'validation-failed',
    'A token of the identity provider names its organization itself; only a session can be switched.',
  );
}

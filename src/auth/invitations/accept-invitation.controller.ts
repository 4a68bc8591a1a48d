import { Body, Controller, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import {
  ApiForbiddenResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiTags,
  ApiUnauthorizedResponse,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../../access/declare-access.js';
import { CurrentOrigin, type Origin } from '../../access/principal.js';
import { Audited } from '../../audit/audit.service.js';
import {
  ApiBodyErrors,
  ApiConflict,
  ApiTooManyAttempts,
  ApiUnavailable,
  errorCodes,
  problemContent,
} from '../../common/errors/api-errors.js';
import { challengeHeader } from '../../common/http/api-headers.js';
import { AccessTokenDto } from '../dto/sign-in.dto.js';
import { PasswordSignInGuard } from '../guards/route.guards.js';
import { sendSession, ApiSessionResponse } from '../sessions/session-response.js';
import { AcceptInvitationService } from './accept-invitation.service.js';
import { AcceptInvitationDto } from './dto/accept-invitation.dto.js';
import { InvitationTokenDto } from './dto/invitation-token.dto.js';
import { InvitationPreviewDto } from './dto/preview-invitation.dto.js';

/** Routes for holders of an invitation token. They take it in the body, because URLs appear in logs. */
@ApiTags('Sign-in')
@Controller('auth')
export class AcceptInvitationController {
  constructor(private readonly invitations: AcceptInvitationService) {}

  /**
   * Preview an invitation
   *
   * @remarks Returns the invitation with this token. Changes nothing.
   */
  @Post('preview-invitation')
  @HttpCode(200)
  @Public({ mayBeSignedIn: true })
  @ApiOkResponse({ type: InvitationPreviewDto, description: 'The open invitation.' })
  @ApiNotFoundResponse({
    ...problemContent,
    ...errorCodes('not-found', 'invitation-expired'),
    description: 'The token is wrong, used, withdrawn or expired.',
  })
  @ApiBodyErrors()
  @ApiTooManyAttempts()
  @ApiUnavailable(problemContent)
  previewInvitation(
    @Body() { token }: InvitationTokenDto,
    @CurrentOrigin() origin: Origin,
    @Req() { principal }: FastifyRequest,
  ): Promise<InvitationPreviewDto> {
    return this.invitations.preview(token, origin, principal?.id);
  }

  /**
   * Accept an invitation
   *
   * @remarks Requires the invitation token. Creates an account if needed, and signs you in.
   */
  @Post('accept-invitation')
  @HttpCode(200)
  @Public()
  @UseGuards(PasswordSignInGuard)
  @Audited('invitation.accept', 'sign-in-failed')
  @ApiSessionResponse()
  @ApiUnauthorizedResponse({
    ...problemContent,
    ...errorCodes('sign-in-failed'),
    headers: challengeHeader,
    description:
      'The password is wrong, or the invited email has no account and no name was sent. The response does not reveal which.',
  })
  @ApiForbiddenResponse({
    ...problemContent,
    ...errorCodes('password-sign-in-off'),
    description: 'Password sign-in is off.',
  })
  @ApiNotFoundResponse({
    ...problemContent,
    ...errorCodes('not-found', 'invitation-expired'),
    description: 'The token is wrong, used, withdrawn or expired.',
  })
  @ApiConflict('The account is already a member.')
  @ApiBodyErrors()
  @ApiTooManyAttempts()
  @ApiUnavailable(problemContent)
  async acceptInvitation(
    @Body() body: AcceptInvitationDto,
    @CurrentOrigin() origin: Origin,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AccessTokenDto> {
    return sendSession(request, reply, await this.invitations.accept(body, origin));
  }
}

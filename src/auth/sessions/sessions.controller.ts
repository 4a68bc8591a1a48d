import { Controller, Delete, Get, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiForbiddenResponse, ApiOkResponse, ApiTags, ApiUnauthorizedResponse } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readBearerToken } from '../../access/bearer-token.js';
import { Public, SignedIn } from '../../access/declare-access.js';
import {
  type Actor,
  CurrentActor,
  CurrentOrigin,
  CurrentPrincipal,
  type Origin,
  type Principal,
} from '../../access/principal.js';
import { Audited } from '../../audit/audit.service.js';
import { ApiUnavailable, errorCodes, problemContent } from '../../common/errors/api-errors.js';
import { challengeHeader } from '../../common/http/api-headers.js';
import { IdParam } from '../../common/http/api-resource.js';
import { MessageDto } from '../../common/http/message.dto.js';
import { SameOriginGuard } from '../guards/route.guards.js';
import { SessionListDto } from './dto/session.dto.js';
import { readRefreshTokens, setRefreshCookie } from './refresh-cookie.js';
import { SessionRevocationService } from './session-revocation.service.js';
import { SessionsService } from './sessions.service.js';

@ApiTags('Sessions')
@Controller('auth')
export class SessionsController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly revocations: SessionRevocationService,
  ) {}

  /**
   * Sign out
   *
   * @remarks Ends the session of the cookie or of the access token, and deletes the cookie. One of them suffices, and the
   * access token may have expired.
   */
  @Post('sign-out')
  @HttpCode(200)
  @Public({ readsSession: ['AccessToken', 'RefreshCookie'] })
  @UseGuards(SameOriginGuard)
  @Audited('sign-out')
  @ApiOkResponse({ type: MessageDto, description: 'Signed out. Also returned if there was no session.' })
  @ApiUnauthorizedResponse({
    ...problemContent,
    ...errorCodes('invalid-credential'),
    headers: challengeHeader,
    description: 'The Authorization header is malformed.',
  })
  @ApiForbiddenResponse({
    ...problemContent,
    ...errorCodes('cross-site-request'),
    description: 'A page of another origin sent the request.',
  })
  @ApiUnavailable(problemContent)
  async signOut(
    @CurrentOrigin() origin: Origin,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<MessageDto> {
    const credentials = { refreshTokens: readRefreshTokens(request), accessToken: readBearerToken(request) };
    await this.revocations.signOut(credentials, origin);
    setRefreshCookie(request, reply, undefined);
    return { message: 'You are signed out.' };
  }

  /**
   * List your sessions
   *
   * @remarks Returns the open sessions, most recently used first.
   */
  @Get('sessions')
  @SignedIn()
  @ApiOkResponse({ type: SessionListDto, description: 'Your sessions.' })
  async listSessions(@CurrentPrincipal() principal: Principal): Promise<SessionListDto> {
    return { sessions: await this.sessions.list(principal) };
  }

  /**
   * End a session
   *
   * @remarks Its tokens are rejected immediately.
   */
  @Delete('sessions/:id')
  @SignedIn()
  @Audited('session.end')
  @ApiOkResponse({ type: MessageDto, description: 'The session was ended.' })
  async endSession(@CurrentActor() actor: Actor, @IdParam('session') id: string): Promise<MessageDto> {
    await this.revocations.revokeOne(actor, id);
    return { message: 'The session was ended. Its tokens are now rejected.' };
  }

  /**
   * End all other sessions
   *
   * @remarks The current session stays open.
   */
  @Delete('sessions')
  @SignedIn()
  @Audited('session.end')
  @ApiOkResponse({ type: MessageDto, description: 'The other sessions were ended.' })
  async endOtherSessions(@CurrentActor() actor: Actor): Promise<MessageDto> {
    const count = await this.revocations.revokeOthers(actor);
    return { message: `${count} other ${count === 1 ? 'session was' : 'sessions were'} ended.` };
  }
}

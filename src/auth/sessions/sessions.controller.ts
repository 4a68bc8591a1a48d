import { Controller, Delete, Get, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import {
  ApiForbiddenResponse,
  ApiOkResponse,
  ApiTags,
  ApiTooManyRequestsResponse,
  ApiUnauthorizedResponse,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Audited } from '../../audit/audited.js';
import { ApiUnavailable, problemContent } from '../../common/errors/api-errors.js';
import { unauthenticated } from '../../common/errors/app-error.js';
import { challengeHeader, retryAfterHeader } from '../../common/http/api-headers.js';
import { IdParam } from '../../common/http/api-resource.js';
import { MessageDto } from '../../common/http/message.dto.js';
import type { Actor, Origin } from '../../access/actor.js';
import { readBearerToken } from '../../access/bearer-token.js';
import { Public, SignedIn } from '../../access/declare-access.js';
import { CurrentActor, CurrentOrigin } from '../../access/current-actor.js';
import { CurrentPrincipal } from '../../access/current-principal.js';
import type { AccessTokenDto } from '../dto/sign-in.dto.js';
import type { Principal } from '../../access/principal.js';
import { SessionListDto } from './dto/session.dto.js';
import { readRefreshTokens, refreshCookieName, setRefreshCookie } from './refresh-cookie.js';
import { parseRefreshToken } from './refresh-token.js';
import { SameOriginGuard } from '../guards/route.guards.js';
import { sendSession, ApiSessionResponse } from './session-response.js';
import { SessionRevocationService } from './session-revocation.service.js';
import { SessionRefreshService } from './session-refresh.service.js';
import { SessionsService } from './sessions.service.js';

@ApiTags('Sessions')
@Controller('auth')
export class SessionsController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly refreshes: SessionRefreshService,
    private readonly ends: SessionRevocationService,
  ) {}

  /** Get a new access token by the cookie that sign-in has set, which is replaced. */
  @Post('refresh')
  @HttpCode(200)
  @Public()
  @UseGuards(SameOriginGuard)
  @Audited('session.reuse')
  @ApiSessionResponse()
  @ApiUnauthorizedResponse({
    ...problemContent,
    headers: challengeHeader,
    description:
      'The cookie is missing, was sent more than once, or its session has ended, as it does when a cookie is used twice.',
  })
  @ApiForbiddenResponse({
    ...problemContent,
    description: 'A page of another origin has called, or the account belongs to no organization.',
  })
  @ApiTooManyRequestsResponse({
    ...problemContent,
    headers: retryAfterHeader,
    description: 'The session has been refreshed too often; see `Retry-After`.',
  })
  @ApiUnavailable(problemContent)
  async refreshSession(
    @CurrentOrigin() origin: Origin,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AccessTokenDto> {
    const name = refreshCookieName(request);
    const [text, ...others] = readRefreshTokens(request);
    if (text === undefined) {
      throw unauthenticated(
        'missing-credential',
        `This route takes the cookie ${name}, which POST /auth/sign-in sets.`,
      );
    }
    // Which of them is the person's own cannot be known: using another's would sign them in to another account.
    if (others.length > 0) {
      throw unauthenticated('invalid-credential', `The cookie ${name} was sent more than once. Sign in again.`);
    }
    const token = parseRefreshToken(text);
    if (token === undefined) {
      throw unauthenticated('invalid-credential', `The cookie ${name} is not valid. Sign in again.`);
    }
    return sendSession(request, reply, await this.refreshes.refresh(token, origin));
  }

  /** Sign out: end the session of the cookie or of the JWT that is sent, and take the cookie away. */
  @Post('sign-out')
  @HttpCode(200)
  @Public()
  @UseGuards(SameOriginGuard)
  @Audited('sign-out')
  @ApiOkResponse({ type: MessageDto, description: 'No session is left, if there was one.' })
  @ApiUnauthorizedResponse({
    ...problemContent,
    headers: challengeHeader,
    description: 'The Authorization header is malformed.',
  })
  @ApiForbiddenResponse({ ...problemContent, description: 'A page of another origin has called.' })
  @ApiUnavailable(problemContent)
  async signOut(
    @CurrentOrigin() origin: Origin,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<MessageDto> {
    const credentials = { refreshTokens: readRefreshTokens(request), accessToken: readBearerToken(request) };
    await this.ends.signOut(credentials, origin);
    setRefreshCookie(request, reply, undefined);
    return { message: 'You are signed out.' };
  }

  /** List where you are signed in. */
  @Get('sessions')
  @SignedIn()
  @ApiOkResponse({ type: SessionListDto, description: 'Your sessions.' })
  async listSessions(@CurrentPrincipal() principal: Principal): Promise<SessionListDto> {
    return { sessions: await this.sessions.list(principal) };
  }

  /** End one of your sessions. Once this has answered, none of its tokens is accepted. */
  @Delete('sessions/:id')
  @SignedIn()
  @Audited('session.end')
  @ApiOkResponse({ type: MessageDto, description: 'The session has ended.' })
  async endSession(@CurrentActor() actor: Actor, @IdParam('session') id: string): Promise<MessageDto> {
    await this.ends.endOne(actor, id);
    return { message: 'The session has ended. Its tokens are refused from now on.' };
  }

  /** End all of your sessions but the current one. */
  @Delete('sessions')
  @SignedIn()
  @Audited('session.end')
  @ApiOkResponse({ type: MessageDto, description: 'The other sessions have ended.' })
  async endOtherSessions(@CurrentActor() actor: Actor): Promise<MessageDto> {
    const ended = await this.ends.endOthers(actor);
    return { message: `${ended} other ${ended === 1 ? 'session has' : 'sessions have'} ended.` };
  }
}

import { Controller, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiForbiddenResponse, ApiTags, ApiTooManyRequestsResponse, ApiUnauthorizedResponse } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../access/declare-access.js';
import { CurrentOrigin, type Origin } from '../access/principal.js';
import { Audited } from '../audit/audit.service.js';
import { ApiUnavailable, errorCodes, problemContent } from '../common/errors/api-errors.js';
import { unauthenticated } from '../common/errors/app-error.js';
import { challengeHeader, retryAfterHeader } from '../common/http/api-headers.js';
import { CurrentUserService } from './current-user.service.js';
import { RefreshedSessionDto } from './dto/me.dto.js';
import { SameOriginGuard } from './guards/route.guards.js';
import { readRefreshTokens, refreshCookieName } from './sessions/refresh-cookie.js';
import { parseRefreshToken } from './sessions/refresh-token.js';
import { SessionRefreshService } from './sessions/session-refresh.service.js';
import { ApiSessionResponse, sendSession } from './sessions/session-response.js';
import { SessionsService } from './sessions/sessions.service.js';

@ApiTags('Sessions')
@Controller('auth')
export class SessionRefreshController {
  constructor(
    private readonly currentUser: CurrentUserService,
    private readonly refreshes: SessionRefreshService,
    private readonly sessions: SessionsService,
  ) {}

  /**
   * Refresh the session
   *
   * @remarks Requires the cookie from sign-in, but no access token. Returns a new access token and what `GET /auth/me`
   * returns, and replaces the cookie.
   * With `fetch`, set `credentials: 'include'`. Browsers send the cookie only from pages of this origin; pages of other
   * origins get 403. Send one refresh at a time: each cookie works once.
   */
  @Post('refresh')
  @HttpCode(200)
  @Public({ readsSession: ['RefreshCookie'] })
  @UseGuards(SameOriginGuard)
  @Audited('session.reuse')
  @ApiSessionResponse(RefreshedSessionDto)
  @ApiUnauthorizedResponse({
    ...problemContent,
    ...errorCodes('missing-credential', 'invalid-credential'),
    headers: challengeHeader,
    description:
      'The cookie is missing, was sent more than once, or its session has ended. Reusing a replaced cookie ends its session.',
  })
  @ApiForbiddenResponse({
    ...problemContent,
    ...errorCodes('cross-site-request', 'no-organization'),
    description: "A page of another origin sent the request, or the account isn't a member of any organization.",
  })
  @ApiTooManyRequestsResponse({
    ...problemContent,
    headers: retryAfterHeader,
    description: 'The session is refreshed too often; see `Retry-After`.',
  })
  @ApiUnavailable(problemContent)
  async refreshSession(
    @CurrentOrigin() origin: Origin,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RefreshedSessionDto> {
    const name = refreshCookieName(request);
    const [text, ...others] = readRefreshTokens(request);
    if (text === undefined) {
      throw unauthenticated('missing-credential', `This route requires the cookie ${name} from POST /auth/sign-in.`);
    }
    // There is no telling which cookie is the person's own; using the wrong one would sign them in to another account.
    if (others.length > 0) {
      throw unauthenticated('invalid-credential', `The cookie ${name} was sent more than once. Sign in again.`);
    }
    const token = parseRefreshToken(text);
    if (token === undefined) {
      throw unauthenticated('invalid-credential', `The cookie ${name} is not valid. Sign in again.`);
    }
    const session = await this.refreshes.refresh(token, origin);
    const accessToken = sendSession(request, reply, session);
    const { userId, organizationId } = session;
    const permissions = await this.sessions.getPermissions(session);
    const me = await this.currentUser.describe({ kind: 'user', id: userId, organizationId, permissions });
    return { ...accessToken, me };
  }
}

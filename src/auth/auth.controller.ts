import { Body, Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiForbiddenResponse, ApiOkResponse, ApiTags, ApiUnauthorizedResponse } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Audited } from '../audit/audited.js';
import { ApiBodyErrors, ApiUnavailable, problemContent } from '../common/errors/api-errors.js';
import { challengeHeader } from '../common/http/api-headers.js';
import { AuthService } from './auth.service.js';
import type { Origin } from './actor.js';
import { Public, SignedIn } from './decorators/access.js';
import { CurrentOrigin } from './decorators/current-actor.js';
import { CurrentPrincipal } from './decorators/current-principal.js';
import { MeDto } from './dto/me.dto.js';
import { AccessTokenDto, SignInDto } from './dto/sign-in.dto.js';
import type { Principal } from './principal.js';
import { answerWithSession, ApiSessionResponse } from './sessions/session-answer.js';

@ApiTags('Sign-in')
@Controller('auth')
export class AuthController {
  constructor(private readonly auth: AuthService) {}

  /**
   * Sign in with e-mail address and password. The answer holds a token for the management routes, and a cookie for
   * `POST /auth/refresh`.
   */
  @Post('sign-in')
  @HttpCode(200)
  @Public()
  @Audited('sign-in', 'sign-in-failed')
  @ApiSessionResponse()
  @ApiUnauthorizedResponse({
    ...problemContent,
    headers: challengeHeader,
    description: 'The e-mail address or the password is wrong.',
  })
  @ApiForbiddenResponse({ ...problemContent, description: 'The account belongs to no organization.' })
  @ApiBodyErrors()
  @ApiUnavailable(problemContent)
  async signIn(
    @Body() credentials: SignInDto,
    @CurrentOrigin() origin: Origin,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AccessTokenDto> {
    return answerWithSession(request, reply, await this.auth.signIn(credentials, origin));
  }

  /** The signed-in user, the current organization, the role there and its permissions. */
  @Get('me')
  @SignedIn()
  @ApiOkResponse({ type: MeDto, description: 'Who is signed in.' })
  getMe(@CurrentPrincipal() principal: Principal): Promise<MeDto> {
    return this.auth.describe(principal);
  }
}

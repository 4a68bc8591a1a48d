import { Body, Controller, Get, HttpCode, Patch, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiForbiddenResponse, ApiOkResponse, ApiTags, ApiUnauthorizedResponse } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public, SignedIn } from '../access/declare-access.js';
import {
  type Actor,
  CurrentActor,
  CurrentOrigin,
  CurrentPrincipal,
  type Origin,
  type Principal,
} from '../access/principal.js';
import { Audited } from '../audit/audit.service.js';
import {
  ApiBodyErrors,
  ApiTooManyAttempts,
  ApiUnavailable,
  errorCodes,
  problemContent,
} from '../common/errors/api-errors.js';
import { challengeHeader } from '../common/http/api-headers.js';
import { MessageDto } from '../common/http/message.dto.js';
import { CurrentUserService } from './current-user.service.js';
import { ChangePasswordDto } from './dto/change-password.dto.js';
import { MeDto, UpdateMeDto } from './dto/me.dto.js';
import { AccessTokenDto, SignInDto } from './dto/sign-in.dto.js';
import { PasswordSignInGuard } from './guards/route.guards.js';
import { PasswordChangeService } from './password-change.service.js';
import { sendSession, ApiSessionResponse } from './sessions/session-response.js';
import { SignInService } from './sign-in.service.js';

@ApiTags('Sign-in')
@Controller('auth')
export class AuthController {
  constructor(
    private readonly currentUser: CurrentUserService,
    private readonly signIns: SignInService,
    private readonly passwordChanges: PasswordChangeService,
  ) {}

  /**
   * Sign in
   *
   * @remarks Returns an access token and sets the cookie for `POST /auth/refresh`. Pages of this origin need
   * `credentials: 'include'` (or the default of `fetch`) to keep the cookie.
   */
  @Post('sign-in')
  @HttpCode(200)
  @Public()
  @UseGuards(PasswordSignInGuard)
  @Audited('sign-in', 'sign-in-failed', 'sign-in-blocked')
  @ApiSessionResponse()
  @ApiUnauthorizedResponse({
    ...problemContent,
    ...errorCodes('sign-in-failed'),
    headers: challengeHeader,
    description: 'Incorrect email or password.',
  })
  @ApiForbiddenResponse({
    ...problemContent,
    ...errorCodes('no-organization', 'password-sign-in-off'),
    description: "The account isn't a member of any organization, or password sign-in is off.",
  })
  @ApiBodyErrors()
  @ApiTooManyAttempts()
  @ApiUnavailable(problemContent)
  async signIn(
    @Body() credentials: SignInDto,
    @CurrentOrigin() origin: Origin,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AccessTokenDto> {
    return sendSession(request, reply, await this.signIns.signIn(credentials, origin));
  }

  /**
   * Change your password
   *
   * @remarks Ends all your other sessions.
   */
  @Post('change-password')
  @HttpCode(200)
  @SignedIn()
  @UseGuards(PasswordSignInGuard)
  @ApiForbiddenResponse({
    ...problemContent,
    ...errorCodes('password-sign-in-off'),
    description: "Password sign-in is off, or the account isn't a member of any organization.",
  })
  @Audited('password.change', 'session.end')
  @ApiOkResponse({ type: MessageDto, description: 'The password was changed.' })
  @ApiBodyErrors()
  @ApiTooManyAttempts()
  async changePassword(@CurrentActor() actor: Actor, @Body() body: ChangePasswordDto): Promise<MessageDto> {
    await this.passwordChanges.change(actor, body);
    return { message: 'The password was changed. Your other sessions were ended.' };
  }

  /**
   * Get the signed-in user
   *
   * @remarks With the current organization, role and permissions.
   */
  @Get('me')
  @SignedIn()
  @ApiOkResponse({ type: MeDto, description: 'The signed-in user.' })
  getMe(@CurrentPrincipal() principal: Principal): Promise<MeDto> {
    return this.currentUser.describe(principal);
  }

  /**
   * Update your account
   *
   * @remarks Changes your name, which other members see, and which mail you get.
   */
  @Patch('me')
  @SignedIn()
  @Audited('account.update')
  @ApiOkResponse({ type: MeDto, description: 'The signed-in user.' })
  @ApiBodyErrors()
  async updateMe(@CurrentActor() actor: Actor, @Body() body: UpdateMeDto): Promise<MeDto> {
    await this.currentUser.update(actor, body);
    return this.currentUser.describe(actor);
  }
}

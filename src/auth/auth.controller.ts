import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiForbiddenResponse, ApiOkResponse, ApiTags, ApiUnauthorizedResponse } from '@nestjs/swagger';
import { ApiBodyErrors, ApiUnavailable, problemContent } from '../common/errors/api-errors.js';
import { challengeHeader } from '../common/http/api-headers.js';
import { AuthService } from './auth.service.js';
import { Public, SignedIn } from './decorators/access.js';
import { CurrentPrincipal } from './decorators/current-principal.js';
import { MeDto } from './dto/me.dto.js';
import { AccessTokenDto, SignInDto } from './dto/sign-in.dto.js';
import type { Principal } from './principal.js';

@ApiTags('Sign-in')
@Controller('auth')
export class AuthController {
  constructor(private readonly auth: AuthService) {}

  /** Sign in with e-mail address and password; the answer holds a token for the management routes. */
  @Post('sign-in')
  @HttpCode(200)
  @Public()
  @ApiOkResponse({ type: AccessTokenDto, description: 'A token for the management routes.' })
  @ApiUnauthorizedResponse({
    ...problemContent,
    headers: challengeHeader,
    description: 'The e-mail address or the password is wrong.',
  })
  @ApiForbiddenResponse({ ...problemContent, description: 'The account belongs to no organization.' })
  @ApiBodyErrors()
  @ApiUnavailable(problemContent)
  signIn(@Body() credentials: SignInDto): Promise<AccessTokenDto> {
    return this.auth.signIn(credentials);
  }

  /** The signed-in user, the current organization, the role there and its permissions. */
  @Get('me')
  @SignedIn()
  @ApiOkResponse({ type: MeDto, description: 'Who is signed in.' })
  getMe(@CurrentPrincipal() principal: Principal): Promise<MeDto> {
    return this.auth.describe(principal);
  }
}

import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiBody,
  ApiConsumes,
  ApiOkResponse,
  ApiTags,
  ApiTooManyRequestsResponse,
  ApiUnauthorizedResponse,
} from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Public } from '../../access/declare-access.js';
import { CurrentOrigin, type Origin } from '../../access/principal.js';
import { Audited } from '../../audit/audit.service.js';
import { ApiUnavailable, errorCodes, oauthErrorContent } from '../../common/errors/api-errors.js';
import { basicChallengeHeader, noStoreHeader, retryAfterHeader } from '../../common/http/api-headers.js';
import { NoStore } from '../../common/http/api-resource.js';
import { TokenRequestDto, TokenResponseDto } from './dto/token.dto.js';
import { readTokenRequest } from './read-token-request.js';
import { TokenService } from './token.service.js';

@ApiTags('Sign-in')
@Controller('auth')
export class TokenController {
  constructor(private readonly tokens: TokenService) {}

  /**
   * Get an access token for a service account
   *
   * @remarks OAuth 2.0 client credentials grant (RFC 6749 §4.4). Send the credentials of the service account with HTTP
   * Basic or in the form. Request a new token when this one expires; there is no refresh token.
   */
  @Post('token')
  @HttpCode(200)
  @NoStore()
  @Public({ takesForm: true })
  @Audited('sign-in', 'sign-in-failed')
  @ApiConsumes('application/x-www-form-urlencoded')
  @ApiBody({ type: TokenRequestDto })
  @ApiOkResponse({ type: TokenResponseDto, headers: noStoreHeader, description: 'An access token.' })
  @ApiBadRequestResponse({
    ...oauthErrorContent,
    ...errorCodes('validation-failed', 'malformed-request', 'unsupported-grant-type', 'invalid-scope'),
    description: 'The request is invalid.',
  })
  @ApiUnauthorizedResponse({
    ...oauthErrorContent,
    ...errorCodes('invalid-client'),
    headers: basicChallengeHeader,
    description: 'The credentials are missing or wrong.',
  })
  @ApiTooManyRequestsResponse({
    ...oauthErrorContent,
    headers: retryAfterHeader,
    description: 'Too many failed attempts, or too many tokens; see `Retry-After`.',
  })
  @ApiUnavailable(oauthErrorContent)
  async issueToken(
    // Not a validated DTO: other fields are allowed and ignored (§3.2).
    @Body() form: Record<string, unknown> | undefined,
    @CurrentOrigin() origin: Origin,
    @Req() request: FastifyRequest,
  ): Promise<TokenResponseDto> {
    const { accessToken, tokenType, expiresIn } = await this.tokens.issue(
      readTokenRequest(request, form ?? {}),
      origin,
    );
    return { access_token: accessToken, token_type: tokenType, expires_in: expiresIn };
  }
}

import { Body, Controller, HttpCode, Logger, Post, UseGuards } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiBody,
  ApiConsumes,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiPayloadTooLargeResponse,
  ApiTags,
  ApiUnsupportedMediaTypeResponse,
} from '@nestjs/swagger';
import { Public } from '../../access/declare-access.js';
import { CurrentOrigin, type Origin } from '../../access/principal.js';
import { Audited } from '../../audit/audit.service.js';
import { ApiTooManyAttempts, ApiUnavailable, problemContent } from '../../common/errors/api-errors.js';
import { noStoreHeader } from '../../common/http/api-headers.js';
import { NoStore } from '../../common/http/api-resource.js';
import { MessageDto } from '../../common/http/message.dto.js';
import { OidcSignInGuard } from '../guards/route.guards.js';
import { BackchannelLogoutService } from './backchannel-logout.service.js';
import { LogoutTokenDto } from './dto/logout-token.dto.js';

@ApiTags('Sign-in')
@Controller('auth/oidc')
export class BackchannelLogoutController {
  private readonly logger = new Logger('Back-channel logout');

  constructor(private readonly logouts: BackchannelLogoutService) {}

  /**
   * End sessions after a logout
   *
   * @remarks Called by the identity provider (OpenID Connect Back-Channel Logout 1.0).
   */
  @Post('backchannel-logout')
  @HttpCode(200)
  @NoStore()
  @Public({ takesForm: true })
  @UseGuards(OidcSignInGuard)
  @Audited('session.logout')
  @ApiConsumes('application/x-www-form-urlencoded')
  @ApiBody({ type: LogoutTokenDto })
  @ApiOkResponse({
    type: MessageDto,
    headers: noStoreHeader,
    description: 'The sessions were ended, if there were any.',
  })
  @ApiBadRequestResponse({ ...problemContent, description: 'The logout token is not valid or was used before.' })
  @ApiNotFoundResponse({ ...problemContent, description: 'Single sign-on is not set up.' })
  @ApiPayloadTooLargeResponse({ ...problemContent, description: 'The body is larger than 100 KB.' })
  @ApiUnsupportedMediaTypeResponse({ ...problemContent, description: 'The body is not a form.' })
  @ApiTooManyAttempts()
  @ApiUnavailable(
    problemContent,
    'The identity provider or the database is unavailable; see `Retry-After`.',
    'identity-provider-unavailable',
    'database-unavailable',
    'overloaded',
  )
  async receiveLogout(
    // Not a validated DTO: other fields are allowed and ignored (§2.5).
    @Body() form: Record<string, unknown> | undefined,
    @CurrentOrigin() origin: Origin,
  ): Promise<MessageDto> {
    try {
      await this.logouts.logOut(form?.['logout_token'], origin);
    } catch (error) {
      this.logger.warn('A back-channel logout failed.', { err: error });
      throw error;
    }
    return { message: 'The sessions were ended.' };
  }
}

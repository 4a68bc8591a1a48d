import { Body, Controller, HttpCode, Post, UseGuards } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiForbiddenResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiTags,
} from '@nestjs/swagger';
import { Public } from '../../access/declare-access.js';
import { CurrentOrigin, type Origin } from '../../access/principal.js';
import { Audited } from '../../audit/audit.service.js';
import {
  ApiBodyErrors,
  ApiTooManyAttempts,
  ApiUnavailable,
  errorCodes,
  problemContent,
} from '../../common/errors/api-errors.js';
import { MessageDto } from '../../common/http/message.dto.js';
import { PasswordSignInGuard } from '../guards/route.guards.js';
import { PasswordResetDto, ResetPasswordDto } from './dto/reset-password.dto.js';
import { RequestPasswordResetDto } from './dto/request-reset.dto.js';
import { PasswordResetsService } from './password-resets.service.js';

@ApiTags('Sign-in')
@Controller('auth')
export class PasswordResetsController {
  constructor(private readonly resets: PasswordResetsService) {}

  /**
   * Request a password reset link
   *
   * @remarks Mails a link to the account with this email, if there is one. The response is the same for all emails. Returns
   * 404 if Keycard sends no mail.
   */
  @Post('request-password-reset')
  @HttpCode(202)
  @Public()
  @UseGuards(PasswordSignInGuard)
  @Audited('password.reset-request')
  @ApiAcceptedResponse({ type: MessageDto, description: 'The request was received.' })
  @ApiForbiddenResponse({
    ...problemContent,
    ...errorCodes('password-sign-in-off'),
    description: 'Password sign-in is off.',
  })
  @ApiNotFoundResponse({ ...problemContent, description: 'Keycard sends no mail.' })
  @ApiBodyErrors()
  @ApiTooManyAttempts()
  @ApiUnavailable(problemContent)
  async requestPasswordReset(
    @Body() { email }: RequestPasswordResetDto,
    @CurrentOrigin() origin: Origin,
  ): Promise<MessageDto> {
    await this.resets.request(email, origin);
    return { message: 'If there is an account with this email, it gets a mail with a link.' };
  }

  /**
   * Reset a password
   *
   * @remarks Requires the token from a reset link. Ends all sessions of the account.
   */
  @Post('reset-password')
  @HttpCode(200)
  @Public()
  @UseGuards(PasswordSignInGuard)
  @Audited('password.reset', 'session.end')
  @ApiOkResponse({ type: PasswordResetDto, description: 'The password was set.' })
  @ApiForbiddenResponse({
    ...problemContent,
    ...errorCodes('password-sign-in-off'),
    description: 'Password sign-in is off.',
  })
  @ApiNotFoundResponse({ ...problemContent, description: 'The token is wrong, used, replaced or expired.' })
  @ApiBodyErrors()
  @ApiTooManyAttempts()
  @ApiUnavailable(problemContent)
  async resetPassword(@Body() body: ResetPasswordDto, @CurrentOrigin() origin: Origin): Promise<PasswordResetDto> {
    const email = await this.resets.reset(body, origin);
    return {
      email,
      message: 'Your password was set, and all your sessions were ended. Sign in with the new password.',
    };
  }
}

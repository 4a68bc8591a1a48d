import { Body, Controller, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiForbiddenResponse, ApiNotFoundResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../../access/declare-access.js';
import { CurrentOrigin, type Origin } from '../../access/principal.js';
import {
  ApiBodyErrors,
  ApiTooManyAttempts,
  ApiUnavailable,
  errorCodes,
  problemContent,
} from '../../common/errors/api-errors.js';
import { ServiceConfig } from '../../config/service-config.js';
import { OidcSignInGuard, SameOriginGuard } from '../guards/route.guards.js';
import { InvitationTokenDto } from '../invitations/dto/invitation-token.dto.js';
import { OpenInvitationsService } from '../invitations/open-invitations.service.js';
import { OidcLimitsService } from '../limits/oidc-limits.service.js';
import { AuthorizationUrlDto } from './dto/authorization-url.dto.js';
import { ProviderClientService } from './provider-client.service.js';
import { callbackUrlOf, keepFlow } from './sign-in-flow.js';

const flowCookieHeader = {
  'Set-Cookie': {
    description: 'Encrypted state for the callback: `HttpOnly`, `SameSite=Lax`, valid for ten minutes.',
    schema: { type: 'string', pattern: '^(__Host-)?keycard_sign_in=' },
    example: '__Host-keycard_sign_in=…; Max-Age=600; Path=/; HttpOnly; Secure; SameSite=Lax',
  },
} as const;

@ApiTags('Sign-in')
@Controller('auth/oidc')
export class OidcInvitationController {
  constructor(
    private readonly config: ServiceConfig,
    private readonly client: ProviderClientService,
    private readonly invitations: OpenInvitationsService,
    private readonly limits: OidcLimitsService,
  ) {}

  /**
   * Accept an invitation through single sign-on
   *
   * @remarks Send the browser to the returned URL. Signing in with the invited email adds the person as a member.
   */
  @Post('start-invitation')
  @HttpCode(200)
  @Public()
  // Another site could make its visitors join an unknown organization.
  @UseGuards(OidcSignInGuard, SameOriginGuard)
  @ApiOkResponse({
    type: AuthorizationUrlDto,
    description: 'The URL to send the browser to.',
    headers: flowCookieHeader,
  })
  @ApiForbiddenResponse({
    ...problemContent,
    ...errorCodes('cross-site-request'),
    description: 'A page of another origin sent the request.',
  })
  @ApiNotFoundResponse({
    ...problemContent,
    ...errorCodes('not-found', 'invitation-expired'),
    description: 'The token is wrong, used, withdrawn or expired, or single sign-on is not set up.',
  })
  @ApiBodyErrors()
  @ApiTooManyAttempts()
  @ApiUnavailable(
    problemContent,
    'The identity provider or the database is unavailable; see `Retry-After`.',
    'identity-provider-unavailable',
    'database-unavailable',
    'overloaded',
  )
  async startOidcInvitation(
    @Body() { token }: InvitationTokenDto,
    @CurrentOrigin() origin: Origin,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AuthorizationUrlDto> {
    const { id: invitationId } = await this.invitations.findByToken(token, origin);
    await this.limits.countStart(origin);
    const { url, flow } = await this.client.begin(callbackUrlOf(request, this.config), { returnTo: '/', invitationId });
    await keepFlow(request, reply, flow, this.config.jwtSecrets);
    void reply.header('cache-control', 'no-store');
    return { url: url.href };
  }
}

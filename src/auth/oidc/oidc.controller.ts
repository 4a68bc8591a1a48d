import { Controller, Get, Logger, Query, Redirect, Req, Res, UseGuards } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiDefaultResponse,
  ApiFoundResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiQuery,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../../access/declare-access.js';
import { CurrentOrigin, type Origin } from '../../access/principal.js';
import { Audited } from '../../audit/audit.service.js';
import { problemContent } from '../../common/errors/api-errors.js';
import { unauthenticated } from '../../common/errors/app-error.js';
import { toAppError } from '../../common/errors/to-app-error.js';
import { ServiceConfig } from '../../config/service-config.js';
import { OidcSignInGuard } from '../guards/route.guards.js';
import { OidcLimitsService } from '../limits/oidc-limits.service.js';
import { sendSession } from '../sessions/session-response.js';
import { SignInMethodsDto } from './dto/sign-in-methods.dto.js';
import { StartSignInQueryDto } from './dto/start-sign-in-query.dto.js';
import { OidcSignInService } from './oidc-sign-in.service.js';
import { ProviderClientService } from './provider-client.service.js';
import { callbackUrlOf, keepFlow, type SignInFlow, takeFlow } from './sign-in-flow.js';

interface Redirection {
  url: string;
}

interface ErrorPage {
  path: string;
  search?: Record<string, string>;
}

const locationHeader = {
  Location: {
    description:
      'The URL to go to. After a failure, `/sign-in?error=` with the error code and the original `returnTo`, or `/accept-invitation?error=` for an invitation.',
    schema: { type: 'string', minLength: 1 },
    example: '/dashboard/keys',
  },
};

/** Redirects have no 2xx. */
const ApiOtherErrors = () => ApiDefaultResponse({ ...problemContent, description: 'Any other error.' });

const queryText = { type: 'string', minLength: 1 };

@ApiTags('Sign-in')
@Controller('auth')
export class OidcController {
  private readonly logger = new Logger('Single sign-on');

  constructor(
    private readonly config: ServiceConfig,
    private readonly client: ProviderClientService,
    private readonly signIns: OidcSignInService,
    private readonly limits: OidcLimitsService,
  ) {}

  /**
   * List sign-in methods
   *
   * @remarks Returns whether passwords are accepted, and where single sign-on starts.
   */
  @Get('methods')
  @Public()
  @ApiOkResponse({ type: SignInMethodsDto, description: 'The available sign-in methods.' })
  getSignInMethods(): SignInMethodsDto {
    const { passwordSignIn, oidc, mail } = this.config;
    const isMailOn = mail !== undefined;
    const methods = { password: passwordSignIn, passwordReset: passwordSignIn && isMailOn, mail: isMailOn };
    if (oidc?.clientId === undefined) return { ...methods, oidc: null };
    return { ...methods, oidc: { name: new URL(oidc.issuer).host, startUrl: '/auth/oidc/start' } };
  }

  /**
   * Start single sign-on
   *
   * @remarks Redirects the browser to the identity provider.
   */
  @Get('oidc/start')
  @Public()
  @UseGuards(OidcSignInGuard)
  @Redirect()
  @ApiFoundResponse({ description: 'Redirect to the identity provider.', headers: locationHeader })
  @ApiOtherErrors()
  @ApiBadRequestResponse({ ...problemContent, description: '`returnTo` is not a path on this server.' })
  @ApiNotFoundResponse({ ...problemContent, description: 'Single sign-on is not set up.' })
  async startOidcSignIn(
    @Query() { returnTo }: StartSignInQueryDto,
    @CurrentOrigin() origin: Origin,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Redirection> {
    void reply.header('cache-control', 'no-store');
    return this.orShowError(request, signInPage(returnTo), async () => {
      await this.limits.countStart(origin);
      const { url, flow } = await this.client.begin(callbackUrlOf(request, this.config), { returnTo });
      await keepFlow(request, reply, flow, this.config.jwtSecrets);
      return { url: url.href };
    });
  }

  /**
   * Finish single sign-on
   *
   * @remarks The identity provider redirects the browser here. Opens a session and redirects to the requested page.
   */
  @Get('oidc/callback')
  @Public()
  @UseGuards(OidcSignInGuard)
  @Audited('sign-in', 'sign-in-failed', 'member.create', 'member.keep', 'invitation.accept', 'password.remove')
  @Redirect()
  @ApiQuery({
    name: 'code',
    required: false,
    schema: queryText,
    description: 'Authorization code, exchanged for a token.',
  })
  @ApiQuery({
    name: 'state',
    required: false,
    schema: queryText,
    description: 'Value of `state` from the sign-in request.',
  })
  @ApiFoundResponse({ description: 'Redirect after success or failure.', headers: locationHeader })
  @ApiOtherErrors()
  @ApiBadRequestResponse({ ...problemContent, description: 'The URL is malformed.' })
  @ApiNotFoundResponse({ ...problemContent, description: 'Single sign-on is not set up.' })
  async finishOidcSignIn(
    @CurrentOrigin() origin: Origin,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Redirection> {
    void reply.header('cache-control', 'no-store');
    const flow = await takeFlow(request, reply, this.config.jwtSecrets);
    return this.orShowError(request, errorPageOf(flow), async () => {
      const counted = await this.limits.countReturn(origin);
      if (flow === undefined) throw unauthenticated('sign-in-failed', 'The sign-in took too long. Sign in again.');
      const claims = await this.client.finish(flow, new URL(request.url, 'http://localhost').search);
      sendSession(request, reply, await this.signIns.signIn(claims, origin, flow.invitationId));
      await counted.succeed();
      return { url: flow.returnTo };
    });
  }

  /** Redirects to an error page, because a browser would show JSON as is. The log has the details. */
  private async orShowError(
    { id: requestId }: FastifyRequest,
    page: ErrorPage,
    redirect: () => Promise<Redirection>,
  ): Promise<Redirection> {
    try {
      return await redirect();
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.code === 'malformed-request') throw error;
      this.logger.warn(error.message, { requestId, code: error.code, err: error.cause });
      return { url: `${page.path}?${new URLSearchParams({ error: error.code, ...page.search }).toString()}` };
    }
  }
}

function errorPageOf(flow: SignInFlow | undefined): ErrorPage {
  return flow?.invitationId === undefined ? signInPage(flow?.returnTo) : { path: '/accept-invitation' };
}

/** Keeps `returnTo`, so signing in again leads to the requested page. */
function signInPage(returnTo = '/'): ErrorPage {
  return { path: '/sign-in', search: returnTo === '/' ? {} : { returnTo } };
}

import { Controller, Get, Logger, Query, Redirect, Req, Res, UseGuards } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiFoundResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiQuery,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Audited } from '../../audit/audited.js';
import { problemContent } from '../../common/errors/api-errors.js';
import { unauthenticated } from '../../common/errors/app-error.js';
import { toAppError } from '../../common/errors/to-app-error.js';
import { ServiceConfig } from '../../config/service-config.js';
import type { Origin } from '../../access/actor.js';
import { Public } from '../../access/declare-access.js';
import { CurrentOrigin } from '../../access/current-actor.js';
import { OidcLimitsService } from '../limits/oidc-limits.service.js';
import { sendSession } from '../sessions/session-response.js';
import { callbackUrlOf, keepFlow, type SignInFlow, takeFlow } from './sign-in-flow.js';
import { SignInMethodsDto } from './dto/sign-in-methods.dto.js';
import { StartSignInQueryDto } from './dto/start-sign-in-query.dto.js';
import { OidcSignInGuard } from '../guards/route.guards.js';
import { OidcSignInService } from './oidc-sign-in.service.js';
import { ProviderClientService } from './provider-client.service.js';

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
      'Where to go; when it has failed, `/sign-in?error=` with the code of the error and the `returnTo` of the start, or `/accept-invitation?error=` when an invitation was to be accepted.',
    schema: { type: 'string', minLength: 1 },
    example: '/dashboard/keys',
  },
};

const queryText = (example: string) => ({ type: 'string', minLength: 1, example });

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

  /** The ways to sign in that are open here. */
  @Get('methods')
  @Public()
  @ApiOkResponse({ type: SignInMethodsDto, description: 'The ways to sign in.' })
  getSignInMethods(): SignInMethodsDto {
    const { isPasswordSignInOn, oidc } = this.config;
    const provider = { name: new URL(oidc?.issuer ?? 'https://none').host, startUrl: '/auth/oidc/start' };
    return { password: isPasswordSignInOn, oidc: oidc?.clientId === undefined ? null : provider };
  }

  /** Sign in through the identity provider: for browsers, which are sent there. */
  @Get('oidc/start')
  @Public()
  @UseGuards(OidcSignInGuard)
  @Redirect()
  @ApiFoundResponse({ description: 'Go on at the identity provider.', headers: locationHeader })
  @ApiBadRequestResponse({ ...problemContent, description: 'The path to return to is not one of this server.' })
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

  /** Where the identity provider sends the browser back to; opens a session and leads to the page wanted. */
  @Get('oidc/callback')
  @Public()
  @UseGuards(OidcSignInGuard)
  @Audited('sign-in', 'sign-in-failed', 'member.create', 'member.keep', 'invitation.accept', 'password.remove')
  @Redirect()
  @ApiQuery({
    name: 'code',
    required: false,
    schema: queryText('SplxlOBeZQQYbYS6WxSbIA'),
    description: 'Buys a token.',
  })
  @ApiQuery({
    name: 'state',
    required: false,
    schema: queryText('af0ifjsldkj'),
    description: 'Of which sign-in it is.',
  })
  @ApiFoundResponse({ description: 'Signed in; or why not.', headers: locationHeader })
  @ApiBadRequestResponse({ ...problemContent, description: 'The URL cannot be read.' })
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
      if (flow === undefined) throw unauthenticated('sign-in-failed', 'The sign-in took too long; sign in again.');
      const claims = await this.client.finish(flow, request.url.split('?')[1] ?? '');
      sendSession(request, reply, await this.signIns.signIn(claims, origin, flow.invitationId));
      await counted.succeed();
      return { url: flow.returnTo };
    });
  }

  /** People who sign in get a page rather than JSON; the log says more than the page. */
  private async orShowError(
    { id: requestId }: FastifyRequest,
    page: ErrorPage,
    answer: () => Promise<Redirection>,
  ): Promise<Redirection> {
    try {
      return await answer();
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.code === 'malformed-request') throw error;
      this.logger.warn(error.message, { requestId, code: error.code, err: error.cause });
      return { url: `${page.path}?${new URLSearchParams({ error: error.code, ...page.search }).toString()}` };
    }
  }
}

/** The page that explains what went wrong. */
function errorPageOf(flow: SignInFlow | undefined): ErrorPage {
  return flow?.invitationId === undefined ? signInPage(flow?.returnTo) : { path: '/accept-invitation' };
}

/** Whose second attempt there leads to the page that was wanted. */
function signInPage(returnTo = '/'): ErrorPage {
  return { path: '/sign-in', search: returnTo === '/' ? {} : { returnTo } };
}

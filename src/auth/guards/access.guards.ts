import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard, PassportStrategy } from '@nestjs/passport';
import { isUUID } from 'class-validator';
import type { FastifyRequest } from 'fastify';
import { Strategy } from 'passport-jwt';
import { apiKeyPrefix, readBearerToken } from '../../access/bearer-token.js';
import { type Access, accessMetadata, limitCreationMetadata } from '../../access/declare-access.js';
import type { Principal } from '../../access/principal.js';
import { MovedOrganizations } from '../../cells/moved-organizations.service.js';
import { AppError, notForServiceAccounts, unauthenticated } from '../../common/errors/app-error.js';
import { errorName } from '../../common/errors/error-utils.js';
import { ServiceConfig } from '../../config/service-config.js';
import { ClientCredentialsService } from '../../service-accounts/client-credentials.service.js';
import { creationLimitsOf } from '../limits/creation-limits.js';
import { RateLimitsService } from '../limits/rate-limits.service.js';
import { ProviderTokensService } from '../oidc/provider-tokens.service.js';
import { keyOf, signingKeys, tokenChecks } from '../sessions/access-tokens.service.js';
import { SessionsService } from '../sessions/sessions.service.js';

/** Claims of a JWT with a valid signature, issuer, audience and expiry. */
interface JwtClaims {
  sub?: unknown;
  org?: unknown;
  exp?: unknown;
  /** Session of a user. */
  sid?: unknown;
  /** Id of a service account, the same as `sub`. */
  client_id?: unknown;
  /** Version of the client secret of a service account. */
  ver?: unknown;
}

/**
 * Turns a JWT into the principal of a user or service account, which the token only identifies. Permissions are read
 * from the database for each request, so ending a session, removing a member, deleting a service account or narrowing a
 * role applies immediately.
 */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy, 'jwt') {
  constructor(
    config: ServiceConfig,
    private readonly sessions: SessionsService,
    private readonly clientCredentials: ClientCredentialsService,
    private readonly moved: MovedOrganizations,
  ) {
    const keys = signingKeys(config.jwtSecrets);
    super({
      ...tokenChecks,
      jwtFromRequest: readJwt,
      // The types of passport-jwt lack key objects, which it passes on to jsonwebtoken.
      secretOrKeyProvider: (_request, token: string, done) => done(null, keyOf(token, keys) as unknown as Buffer),
    });
  }

  /**
   * @throws AppError 401 if the session has ended or the user is no longer a member of the organization, if the service
   *   account or its secret was revoked, or if the organization has moved; 503 while another cell starts to serve it
   */
  async validate(claims: JwtClaims): Promise<Principal> {
    const { sub, org, sid, exp } = claims;
    if (!isUUID(sub) || !isUUID(org) || typeof exp !== 'number') throw invalidJwt();
    if (claims.client_id !== undefined) return this.validateServiceAccount(String(sub), String(org), claims);
    if (!isUUID(sid)) throw invalidJwt();
    const identifiers = { userId: String(sub), organizationId: String(org), sessionId: String(sid) };
    const permissions = await this.sessions.getPermissions(identifiers);
    const { userId: id, organizationId, sessionId } = identifiers;
    return { kind: 'user', id, organizationId, permissions, sessionId };
  }

  private async validateServiceAccount(
    id: string,
    organizationId: string,
    { client_id: clientId, ver }: JwtClaims,
  ): Promise<Principal> {
    if (clientId !== id || typeof ver !== 'number') throw invalidJwt();
    const permissions = await this.clientCredentials.findPermissions({ id, organizationId, secretVersion: ver });
    if (permissions !== undefined) return { kind: 'service-account', id, organizationId, permissions };
    const moved = await this.moved.explainLostAccess(organizationId);
    if (moved !== undefined) throw moved;
    throw unauthenticated(
      'invalid-credential',
      'The service account was deleted, or the client secret of this token was revoked. Get a new token from POST /auth/token.',
    );
  }
}

function readJwt(request: FastifyRequest): string {
  const token = readBearerToken(request);
  if (token === undefined) {
    const hasApiKey = request.headers['x-api-key'] !== undefined;
    throw unauthenticated(
      hasApiKey ? 'wrong-credential' : 'missing-credential',
      'This route requires a JWT. Send Authorization: Bearer <JWT> with the token from POST /auth/sign-in or POST /auth/token.',
    );
  }
  if (token.startsWith(apiKeyPrefix)) {
    throw unauthenticated(
      'wrong-credential',
      'This route requires a JWT, but an API key was sent. Routes for API keys start with /v1.',
    );
  }
  return token;
}

function invalidJwt(): AppError {
  return unauthenticated('invalid-credential', 'The JWT is not valid. Sign in again.');
}

/** Runs the `jwt` strategy and sets its principal on the request. */
class JwtAuthGuard extends AuthGuard('jwt') {
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    return Boolean(await super.canActivate(context));
  }

  override getAuthenticateOptions() {
    return { session: false, property: 'principal' };
  }

  /**
   * @param error thrown by the strategy
   * @param principal returned by the strategy; false if it rejected the token
   * @param reason why passport-jwt rejected the token
   */
  override handleRequest<User>(error: Error | null, principal: User | false, reason: unknown): User {
    if (error) throw error;
    if (principal) return principal;
    if (errorName(reason) !== 'TokenExpiredError') throw invalidJwt();
    const remedy = 'Get a new one from POST /auth/refresh or POST /auth/token, or sign in again.';
    throw unauthenticated('invalid-credential', `The JWT has expired. ${remedy}`);
  }
}

/** Requires a valid credential of the kind that the route declares. The first guard of every controller route. */
@Injectable()
export class AuthenticationGuard implements CanActivate {
  private readonly jwtAuthGuard = new JwtAuthGuard();

  constructor(
    private readonly reflector: Reflector,
    private readonly providerTokens: ProviderTokensService,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const access = this.reflector.get<Access | undefined>(accessMetadata, context.getHandler());
    switch (access?.kind) {
      case 'public':
        return access.mayBeSignedIn === true && hasCredential(context) ? this.authenticateUser(context) : true;
      case 'signed-in':
      case 'permission':
        return this.authenticateUser(context);
      // The declaration adds the guard that verifies the key.
      case 'api-key':
        return true;
      case undefined:
        return false;
    }
  }

  /** The issuer in the token decides how it is verified; a token rejected one way isn't tried the other. */
  private async authenticateUser(context: ExecutionContext): Promise<boolean> {
    const request = requestOf(context);
    const principal = await this.providerTokens.authenticate(request);
    if (principal === undefined) return this.jwtAuthGuard.canActivate(context);
    request.principal = principal;
    return true;
  }
}

/** Rejects a principal without the permission that the route declares, and service accounts on routes for users. */
@Injectable()
export class PermissionGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const access = this.reflector.get<Access | undefined>(accessMetadata, context.getHandler());
    const { principal } = requestOf(context);
    if (access?.kind !== 'permission') {
      const takesServiceAccounts = access?.kind === 'signed-in' && access.serviceAccounts === true;
      if (principal?.kind === 'service-account' && !takesServiceAccounts) throw notForServiceAccounts();
      return true;
    }
    if (principal?.permissions.includes(access.permission)) return true;
    throw new AppError('missing-permission', `Your role lacks the permission ${access.permission}.`);
  }
}

/** Limits how much a user, a service account and an organization create. */
@Injectable()
export class CreationLimitGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly limits: RateLimitsService,
  ) {}

  /** @throws AppError 429 that names the limit */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.reflector.get<true | undefined>(limitCreationMetadata, context.getHandler()) === undefined) return true;
    const { principal } = requestOf(context);
    if (principal === undefined) return false;
    for (const [limit, key] of creationLimitsOf(principal)) await this.limits.spend(limit, key);
    return true;
  }
}

function hasCredential(context: ExecutionContext): boolean {
  return requestOf(context).headers.authorization !== undefined;
}

function requestOf(context: ExecutionContext): FastifyRequest {
  return context.switchToHttp().getRequest<FastifyRequest>();
}

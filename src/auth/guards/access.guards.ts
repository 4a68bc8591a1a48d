import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { type Access, accessMetadata } from '../../access/declare-access.js';
import { limitCreationMetadata } from '../../access/limit-creation.js';
import { AppError, unauthenticated } from '../../common/errors/app-error.js';
import { errorName } from '../../common/errors/error-utils.js';
import { RateLimitsService } from '../limits/rate-limits.service.js';
import { ProviderTokensService } from '../oidc/provider-tokens.service.js';

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
    const expired = errorName(reason) === 'TokenExpiredError';
    throw unauthenticated(
      'invalid-credential',
      expired
        ? 'The JWT has expired. Get a new one from POST /auth/refresh, or sign in again.'
        : 'The JWT is not valid. Sign in again.',
    );
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
      // The AI gateway accepts API keys; its routes don't run guards.
      case 'api-key':
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

/** Rejects a principal without the permission that the route declares. */
@Injectable()
export class PermissionGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const access = this.reflector.get<Access | undefined>(accessMetadata, context.getHandler());
    if (access?.kind !== 'permission') return true;
    if (requestOf(context).principal?.permissions.includes(access.permission)) return true;
    throw new AppError('missing-permission', `Your role lacks the permission ${access.permission}.`);
  }
}

/** Limits how much a user and an organization create. The limits are far above what people and scripts need. */
@Injectable()
export class CreationLimitGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly limits: RateLimitsService,
  ) {}

  /** @throws AppError 429 when the user or the organization has reached its limit */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.reflector.get<true | undefined>(limitCreationMetadata, context.getHandler()) === undefined) return true;
    const { principal } = requestOf(context);
    if (principal === undefined) return false;
    await this.limits.spend('creation by user', principal.id);
    await this.limits.spend('creation by organization', principal.organizationId);
    return true;
  }
}

function hasCredential(context: ExecutionContext): boolean {
  return requestOf(context).headers.authorization !== undefined;
}

function requestOf(context: ExecutionContext): FastifyRequest {
  return context.switchToHttp().getRequest<FastifyRequest>();
}

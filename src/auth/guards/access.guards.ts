import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { type Access, accessMetadata } from '../../access/declare-access.js';
import { ProviderTokensService } from '../oidc/provider-tokens.service.js';
import { AuthGuard } from '@nestjs/passport';
import { errorName } from '../../common/errors/error-utils.js';
import { AppError, unauthenticated } from '../../common/errors/app-error.js';
import { limitCreationMetadata } from '../../access/limit-creation.js';
import { RateLimitsService } from '../limits/rate-limits.service.js';

/** Sees to it that the credential which the route declares was presented and is valid. */
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
        return access.mayBeSignedIn === true && isCredentialSent(context) ? this.authenticateUser(context) : true;
      case 'signed-in':
      case 'permission':
        return this.authenticateUser(context);
      // Only the AI gateway, which is no controller, takes API keys.
      case 'api-key':
      case undefined:
        return false;
    }
  }

  /** The token itself says whose it is; there is no second attempt with the other kind. */
  private async authenticateUser(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const principal = await this.providerTokens.authenticate(request);
    if (principal === undefined) return this.jwtAuthGuard.canActivate(context);
    request.principal = principal;
    return true;
  }
}

function isCredentialSent(context: ExecutionContext): boolean {
  return context.switchToHttp().getRequest<FastifyRequest>().headers.authorization !== undefined;
}

/** Runs the `jwt` strategy and keeps its principal on the request. */
export class JwtAuthGuard extends AuthGuard('jwt') {
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    return Boolean(await super.canActivate(context));
  }

  override getAuthenticateOptions() {
    return { session: false, property: 'principal' };
  }

  /**
   * @param error what the strategy threw
   * @param principal what the strategy returned, false when the token was refused
   * @param reason why passport-jwt refused the token
   */
  override handleRequest<User>(error: Error | null, principal: User | false, reason: unknown): User {
    if (error) throw error;
    if (principal) return principal;
    const expired = errorName(reason) === 'TokenExpiredError';
    throw unauthenticated(
      'invalid-credential',
      expired
        ? 'The JWT has expired; get another from POST /auth/refresh, or sign in again.'
        : 'The JWT is not valid; sign in again.',
    );
  }
}

/** Refuses a principal that lacks the permission which the route declares. Runs after authentication. */
@Injectable()
export class PermissionGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const access = this.reflector.get<Access | undefined>(accessMetadata, context.getHandler());
    if (access?.kind !== 'permission') return true;
    const { principal } = context.switchToHttp().getRequest<FastifyRequest>();
    if (principal?.permissions.includes(access.permission)) return true;
    throw new AppError('missing-permission', `Your role lacks the permission ${access.permission}.`);
  }
}

/** Limits how much a user and an organization create: far more than people and provisioning scripts need. */
@Injectable()
export class CreationLimitGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly limits: RateLimitsService,
  ) {}

  /** @throws AppError 429 when the user or the organization has sent too many requests to create something */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.reflector.get<true | undefined>(limitCreationMetadata, context.getHandler()) === undefined) return true;
    const { principal } = context.switchToHttp().getRequest<FastifyRequest>();
    if (principal === undefined) return false;
    await this.limits.spend('creation by user', principal.id);
    await this.limits.spend('creation by organization', principal.organizationId);
    return true;
  }
}

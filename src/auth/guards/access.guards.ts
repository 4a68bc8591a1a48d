import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { type Access, accessMetadata } from '../../access/declare-access.js';
import { ProviderTokensService } from '../oidc/provider-tokens.service.js';
import { JwtAuthGuard } from './jwt-auth.guard.js';

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

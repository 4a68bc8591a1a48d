import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../common/errors/app-error.js';
import { ServiceConfig } from '../../config/service-config.js';

/** For routes that take or set a password. Closed when `PASSWORD_SIGN_IN` is `off`. */
@Injectable()
export class PasswordSignInGuard implements CanActivate {
  constructor(private readonly config: ServiceConfig) {}

  canActivate(): boolean {
    if (this.config.passwordSignIn) return true;
    throw new AppError('password-sign-in-off', 'Password sign-in is off. Sign in through the identity provider.');
  }
}

/** For single sign-on routes. They return 404 unless Keycard is a client of an identity provider. */
@Injectable()
export class OidcSignInGuard implements CanActivate {
  constructor(private readonly config: ServiceConfig) {}

  canActivate(): boolean {
    if (this.config.oidc?.clientId !== undefined) return true;
    throw new AppError('not-found', 'Single sign-on is not set up.');
  }
}

/**
 * For routes authenticated by a cookie: rejects requests from pages of another origin. `SameSite=Strict` already keeps
 * the cookie from other sites; this also covers other hosts of the same site. Browsers set `Sec-Fetch-Site` and scripts
 * can't change it. Other clients don't send it.
 */
@Injectable()
export class SameOriginGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
    const site = headers['sec-fetch-site'];
    if (site === undefined || site === 'same-origin' || site === 'none') return true;
    throw new AppError('cross-site-request', 'Only pages of the same origin can call this route.');
  }
}

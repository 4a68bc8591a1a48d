import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { AppError } from '../../common/errors/app-error.js';
import { ServiceConfig } from '../../config/service-config.js';
import type { FastifyRequest } from 'fastify';

/** For routes that take or set a password: closed when people sign in through the identity provider alone. */
@Injectable()
export class PasswordSignInGuard implements CanActivate {
  constructor(private readonly config: ServiceConfig) {}

  canActivate(): boolean {
    if (this.config.isPasswordSignInOn) return true;
    throw new AppError('password-sign-in-off', 'Passwords are not used here; sign in through the identity provider.');
  }
}

/** For routes that lead to the identity provider: not there unless Keycard is a client of one. */
@Injectable()
export class OidcSignInGuard implements CanActivate {
  constructor(private readonly config: ServiceConfig) {}

  canActivate(): boolean {
    if (this.config.oidc?.clientId !== undefined) return true;
    throw new AppError('not-found', 'Single sign-on is not set up here.');
  }
}

/**
 * For routes that a cookie opens: refuses what a page of another origin has made the browser send. `SameSite=Strict`
 * keeps the cookie from other sites already; this also covers other hosts of the same site. Browsers set the header
 * by themselves and let no script change it; programs that are no browsers do not send it.
 */
@Injectable()
export class SameOriginGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
    const site = headers['sec-fetch-site'];
    if (site === undefined || site === 'same-origin' || site === 'none') return true;
    throw new AppError('cross-site-request', 'This route can be called by pages of its own origin only.');
  }
}

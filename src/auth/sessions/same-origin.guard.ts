import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../common/errors/app-error.js';

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

import { type CanActivate, Injectable } from '@nestjs/common';
import { AppError } from '../../common/errors/app-error.js';
import { ServiceConfig } from '../../config/service-config.js';

/** For routes that lead to the identity provider: not there unless Keycard is a client of one. */
@Injectable()
export class OidcSignInGuard implements CanActivate {
  constructor(private readonly config: ServiceConfig) {}

  canActivate(): boolean {
    if (this.config.oidc?.clientId !== undefined) return true;
    throw new AppError('not-found', 'Single sign-on is not set up here.');
  }
}

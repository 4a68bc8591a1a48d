import { type CanActivate, Injectable } from '@nestjs/common';
import { AppError } from '../../common/errors/app-error.js';
import { ServiceConfig } from '../../config/service-config.js';

/** For routes that take or set a password: closed when people sign in through the identity provider alone. */
@Injectable()
export class PasswordSignInGuard implements CanActivate {
  constructor(private readonly config: ServiceConfig) {}

  canActivate(): boolean {
    if (this.config.isPasswordSignInOn) return true;
    throw new AppError('password-sign-in-off', 'Passwords are not used here; sign in through the identity provider.');
  }
}

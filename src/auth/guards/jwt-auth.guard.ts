import type { ExecutionContext } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { errorName } from '../../common/errors/error-utils.js';
import { unauthenticated } from '../../common/errors/app-error.js';

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

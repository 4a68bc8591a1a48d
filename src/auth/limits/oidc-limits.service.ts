import { Injectable } from '@nestjs/common';
import type { Origin } from '../../access/principal.js';
import { RateLimitsService } from './rate-limits.service.js';

/** A callback that counts as failed until the sign-in succeeds. */
interface CountedReturn {
  /** Call it after the sign-in. */
  succeed: () => Promise<void>;
}

/**
 * Limits sign-ins through the identity provider. There is nothing to guess; the limit protects the provider, which
 * receives requests for each sign-in.
 */
@Injectable()
export class OidcLimitsService {
  constructor(private readonly limits: RateLimitsService) {}

  /**
   * Counts a sign-in that starts.
   *
   * @throws AppError 429 after too many unsuccessful sign-ins
   */
  async countStart({ address }: Origin): Promise<void> {
    await this.limits.spendByAddress('single sign-on by address', address);
  }

  /**
   * Counts a callback. Success also takes back the start.
   *
   * @throws AppError 429 after too many unsuccessful sign-ins
   */
  async countReturn({ address }: Origin): Promise<CountedReturn> {
    await this.limits.spendByAddress('single sign-on by address', address);
    return { succeed: () => this.limits.giveBackByAddress('single sign-on by address', address, 2) };
  }
}

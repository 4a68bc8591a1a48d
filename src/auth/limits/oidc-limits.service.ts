import { Injectable } from '@nestjs/common';
import type { Origin } from '../actor.js';
import { addressRange } from './address-range.js';
import { RateLimitsService } from './rate-limits.service.js';
import type { CountedAttempt } from './sign-in-limits.service.js';

/**
 * Limits sign-ins through the identity provider. There is nothing to guess: it is the provider, which is asked each
 * time, that is not to be flooded from here.
 */
@Injectable()
export class OidcLimitsService {
  constructor(private readonly limits: RateLimitsService) {}

  /**
   * Counts that somebody is sent to the provider.
   *
   * @throws AppError 429 when too many were who did not come back signed in
   */
  async countStart({ address }: Origin): Promise<void> {
    await this.limits.spend('single sign-on by address', addressRange(address));
  }

  /**
   * Counts that somebody comes back. Success takes back the start as well.
   *
   * @throws AppError 429 after too many who did not come back signed in
   */
  async countReturn({ address }: Origin): Promise<CountedAttempt> {
    const range = addressRange(address);
    await this.limits.spend('single sign-on by address', range);
    return { succeed: () => this.limits.giveBack('single sign-on by address', range, 2) };
  }
}

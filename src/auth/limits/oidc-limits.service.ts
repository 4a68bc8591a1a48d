import { Injectable } from '@nestjs/common';
import type { Origin } from '../../access/actor.js';
import { RateLimitsService } from './rate-limits.service.js';

/** A return that is counted as a failure until it succeeds. */
interface CountedReturn {
  /** Call it when the person is signed in. */
  succeed: () => Promise<void>;
}

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
    await this.limits.spendByAddress('single sign-on by address', address);
  }

  /**
   * Counts that somebody comes back. Success takes back the start as well.
   *
   * @throws AppError 429 after too many who did not come back signed in
   */
  async countReturn({ address }: Origin): Promise<CountedReturn> {
    await this.limits.spendByAddress('single sign-on by address', address);
    return { succeed: () => this.limits.giveBackByAddress('single sign-on by address', address, 2) };
  }
}

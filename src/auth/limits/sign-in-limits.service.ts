import { Injectable } from '@nestjs/common';
import { normalizeEmail } from '../../common/validation/email-address.js';
import { addressRange } from './address-range.js';
import { KnownAddressesService } from './known-addresses.service.js';
import { RateLimitsService } from './rate-limits.service.js';

/** An attempt that was counted as wrong until it turns out right. */
export interface CountedAttempt {
  /** To be called when the password is right. */
  succeed: () => Promise<void>;
}

/**
 * Limits guesses without handing strangers a means to lock somebody out. Attempts on an account from an address that
 * has signed in to it lately are counted by themselves: whatever others do elsewhere does not touch them.
 */
@Injectable()
export class SignInLimitsService {
  constructor(
    private readonly limits: RateLimitsService,
    private readonly knownAddresses: KnownAddressesService,
  ) {}

  /**
   * Counts an attempt; to be called before the password is looked at, for unknown accounts alike.
   *
   * @throws AppError 429 when there were too many wrong ones
   */
  async count(email: string, address: string): Promise<CountedAttempt> {
    const account = normalizeEmail(email);
    const range = addressRange(address);
    const both = `${account} ${range}`;
    const isKnown = await this.knownAddresses.isKnown(both);
    // In this order an address that may try no more leaves a single row, and adds nothing to the account's count.
    if (!isKnown) await this.limits.spend('sign-in by address', range);
    await this.limits.spend('sign-in by account and address', both);
    if (!isKnown) await this.limits.spend('sign-in by account', account);
    return {
      succeed: async () => {
        if (!isKnown) await this.limits.giveBack('sign-in by address', range);
        await this.limits.forget('sign-in by account and address', both);
        if (!isKnown) await this.limits.giveBack('sign-in by account', account);
        await this.knownAddresses.remember(both);
      },
    };
  }
}

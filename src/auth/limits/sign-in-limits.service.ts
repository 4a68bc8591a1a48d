import { Injectable } from '@nestjs/common';
import { RateLimiterPostgres } from 'rate-limiter-flexible';
import { DataSource } from 'typeorm';
import { normalizeEmail } from '../../common/rules/email-address.js';
import { addressRange } from './address-range.js';
import { hashKey, limiterOptions } from './limiter-options.js';
import { RateLimitsService } from './rate-limits.service.js';

const knownSeconds = 30 * 24 * 60 * 60;

/** IP addresses from which accounts recently signed in. */
@Injectable()
export class KnownAddressesService {
  /** Uses the table of the limits, because all it needs is rows that expire. */
  private readonly marks: RateLimiterPostgres;

  constructor(dataSource: DataSource) {
    this.marks = new RateLimiterPostgres({
      ...limiterOptions(dataSource, 'known address'),
      points: 1,
      duration: knownSeconds,
    });
  }

  /** Whether the correct password was sent from there within the last 30 days. */
  async isKnown(accountAndAddress: string): Promise<boolean> {
    return (await this.marks.get(hashKey(accountAndAddress))) !== null;
  }

  /** Remembers for 30 days that the correct password was sent from there. */
  async remember(accountAndAddress: string): Promise<void> {
    await this.marks.set(hashKey(accountAndAddress), 1, knownSeconds);
  }
}

/** An attempt that counts as failed until the password has been checked. */
interface CountedAttempt {
  /**
   * Undoes the counting if the password is correct. If the check fails with an error, undoes only this attempt.
   *
   * @returns whether the password is correct
   */
  judge: (check: Promise<boolean>) => Promise<boolean>;
}

/**
 * Limits password guesses without letting strangers lock someone out: attempts from an IP address that recently signed
 * in to the account are counted separately, so attempts from elsewhere don't affect them.
 */
@Injectable()
export class SignInLimitsService {
  constructor(
    private readonly limits: RateLimitsService,
    private readonly knownAddresses: KnownAddressesService,
  ) {}

  /**
   * Counts an attempt. Call it before checking the password, for unknown accounts too.
   *
   * @throws AppError 429 after too many failed attempts
   */
  async count(email: string, address: string): Promise<CountedAttempt> {
    const account = normalizeEmail(email);
    const both = `${account} ${addressRange(address)}`;
    const isKnown = await this.knownAddresses.isKnown(both);
    // In this order, a blocked IP address leaves a single row and adds nothing to the account's count.
    if (!isKnown) await this.limits.spendByAddress('sign-in by address', address);
    await this.limits.spend('sign-in by account and address', both);
    if (!isKnown) await this.limits.spend('sign-in by account', account);
    const giveBackShared = async () => {
      if (isKnown) return;
      await this.limits.giveBackByAddress('sign-in by address', address);
      await this.limits.giveBack('sign-in by account', account);
    };
    const succeed = async () => {
      await giveBackShared();
      await this.limits.forget('sign-in by account and address', both);
      await this.knownAddresses.remember(both);
    };
    const cancel = async () => {
      await giveBackShared();
      await this.limits.giveBack('sign-in by account and address', both);
    };
    return {
      judge: async (check) => {
        const isCorrect = await check.catch(async (error: unknown) => {
          await cancel();
          throw error;
        });
        if (isCorrect) await succeed();
        return isCorrect;
      },
    };
  }
}

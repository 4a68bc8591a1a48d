import { Injectable } from '@nestjs/common';
import { normalizeEmail } from '../../common/validation/email-address.js';
import { addressRange } from './address-range.js';
import { RateLimitsService } from './rate-limits.service.js';
import { RateLimiterPostgres } from 'rate-limiter-flexible';
import { DataSource } from 'typeorm';
import { hashKey, limiterOptions } from './limiter-options.js';

const rememberedSeconds = 30 * 24 * 60 * 60;

/** From where accounts were signed in to lately. */
@Injectable()
export class KnownAddressesService {
  /** A row that expires is all that is needed, and the table of the limits has such. */
  private readonly marks: RateLimiterPostgres;

  constructor(dataSource: DataSource) {
    this.marks = new RateLimiterPostgres({
      ...limiterOptions(dataSource, 'known address'),
      points: 1,
      duration: rememberedSeconds,
    });
  }

  /** Whether the right password came from there within the last 30 days. */
  async isKnown(accountAndAddress: string): Promise<boolean> {
    return (await this.marks.get(hashKey(accountAndAddress))) !== null;
  }

  async remember(accountAndAddress: string): Promise<void> {
    await this.marks.set(hashKey(accountAndAddress), 1, rememberedSeconds);
  }
}

/** An attempt that is counted as wrong until it is judged. */
export interface CountedAttempt {
  /**
   * Takes back what was counted when the password is right, and the attempt alone when it could not be checked.
   *
   * @returns whether the password is right
   */
  judge: (check: Promise<boolean>) => Promise<boolean>;
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
    const both = `${account} ${addressRange(address)}`;
    const isKnown = await this.knownAddresses.isKnown(both);
    // In this order an address that may not try any more leaves a single row, and adds nothing to the account's count.
    if (!isKnown) await this.limits.spendByAddress('sign-in by address', address);
    await this.limits.spend('sign-in by account and address', both);
    if (!isKnown) await this.limits.spend('sign-in by account', account);
    const giveBackToStrangers = async () => {
      if (isKnown) return;
      await this.limits.giveBackByAddress('sign-in by address', address);
      await this.limits.giveBack('sign-in by account', account);
    };
    const succeed = async () => {
      await giveBackToStrangers();
      await this.limits.forget('sign-in by account and address', both);
      await this.knownAddresses.remember(both);
    };
    const cancel = async () => {
      await giveBackToStrangers();
      await this.limits.giveBack('sign-in by account and address', both);
    };
    return {
      judge: async (check) => {
        const isRight = await check.catch(async (error: unknown) => {
          await cancel();
          throw error;
        });
        if (isRight) await succeed();
        return isRight;
      },
    };
  }
}

import { Inject, Injectable } from '@nestjs/common';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { DataSource } from 'typeorm';
import { AppError } from '../../common/errors/app-error.js';
import { ServiceConfig } from '../../config/service-config.js';
import { addressRanges, rangeFactors } from './address-range.js';
import { configuredAttempts, describeLimit } from './creation-limits.js';
import { hashKey, limiterOptions } from './limiter-options.js';

const windowSeconds = 15 * 60;

/** Attempts per window, by default. The first attempt opens the window; no attempt extends it. */
export const rateLimits = {
  /** Wrong passwords for one account from one IP address. */
  'sign-in by account and address': { attempts: 10, windowSeconds },
  /** Wrong passwords from one IP address, for any account. */
  'sign-in by address': { attempts: 50, windowSeconds },
  /** Wrong passwords for one account, from all IP addresses not known for it. */
  'sign-in by account': { attempts: 100, windowSeconds },
  /** Wrong client secrets of service accounts from one IP address. */
  'client credentials by address': { attempts: 100, windowSeconds },
  /** Access tokens of one service account. */
  'token by service account': { attempts: 600, windowSeconds },
  /** Wrong current passwords of a signed-in user. */
  'password change by user': { attempts: 10, windowSeconds },
  /** Wrong invitations from one IP address. */
  'invitation by address': { attempts: 50, windowSeconds },
  /** Failed attempts to accept one invitation with a password. */
  'acceptance by invitation': { attempts: 10, windowSeconds },
  /** Failed attempts for all invitations that one user sent, to any organization. */
  'acceptance by inviter': { attempts: 50, windowSeconds },
  /** Wrong password reset links from one IP address. */
  'password reset by address': { attempts: 50, windowSeconds },
  /** Requests for password reset links from one IP address. */
  'password reset mail by address': { attempts: 20, windowSeconds },
  /** Requests for password reset links of one email. */
  'password reset mail by account': { attempts: 3, windowSeconds },
  /** Sign-ins through the identity provider that started or returned from one IP address without success. */
  'single sign-on by address': { attempts: 200, windowSeconds },
  /** Requests for the next access token of one session. */
  'refresh by session': { attempts: 300, windowSeconds },
  /** Requests of one user, in all sessions, to create something. */
  'creation by user': { attempts: 600, windowSeconds },
  /** Requests of all members of one organization to create something. */
  'creation by organization': { attempts: 1200, windowSeconds },
  /** Requests of one service account to create something. */
  'creation by service account': { attempts: 6000, windowSeconds },
  /** Requests of all service accounts of one organization to create something. */
  'creation by service accounts': { attempts: 12_000, windowSeconds },
  /** Invalid logout tokens from one IP address. */
  'logout token by address': { attempts: 100, windowSeconds },
  /** Reports of leaked keys from one IP address. */
  'leaked keys by address': { attempts: 300, windowSeconds },
};

export type RateLimit = keyof typeof rateLimits;

/** A limit that rejects an attempt. */
export class LimitReachedError extends AppError {
  /** @param isFirst whether it's the first attempt that the limit rejects in its window */
  constructor(
    detail: string,
    retryAfterSeconds: number,
    readonly isFirst: boolean,
  ) {
    super('too-many-requests', detail, { headers: { 'retry-after': String(retryAfterSeconds) } });
  }
}

/** Counts attempts in the database, across all replicas. */
@Injectable()
export class RateLimitsService {
  private readonly limiters = new Map<string, RateLimiterPostgres>();

  constructor(
    dataSource: DataSource,
    @Inject(ServiceConfig) private readonly config: ServiceConfig,
  ) {
    for (const name of Object.keys(rateLimits) as RateLimit[]) {
      for (const factor of rangeFactors) {
        const options = {
          ...limiterOptions(dataSource, name),
          points: this.attemptsOf(name) * factor,
          duration: rateLimits[name].windowSeconds,
        };
        this.limiters.set(`${name} ${factor}`, new RateLimiterPostgres(options));
      }
    }
  }

  /**
   * Counts one attempt before its outcome is known. Counted afterwards, a thousand concurrent attempts would pass.
   *
   * @throws AppError 429 if the limit is reached
   */
  spend(limit: RateLimit, key: string): Promise<void> {
    return this.consume(limit, key, 1);
  }

  /**
   * Counts one attempt from an IP address, for each network it belongs to.
   *
   * @throws AppError 429 if the limit of one network is reached
   */
  async spendByAddress(limit: RateLimit, address: string): Promise<void> {
    // Narrowest first, so that a blocked IP address adds nothing to the networks around it.
    for (const { range, factor } of addressRanges(address)) await this.consume(limit, range, factor);
  }

  /**
   * Checks the limit for an IP address without counting. For attempts that can't guess anything and are counted only if
   * they fail, so that many at a time can succeed.
   *
   * @throws AppError 429 if the limit of one network is reached
   */
  async checkByAddress(limit: RateLimit, address: string): Promise<void> {
    for (const { range, factor } of addressRanges(address)) {
      const count = await this.find(limit, factor)?.get(hashKey(range));
      if (count && count.remainingPoints <= 0) throw this.tooManyRequests(limit, count.msBeforeNext);
    }
  }

  /** Takes back attempts that didn't fail. */
  async giveBack(limit: RateLimit, key: string, attempts = 1): Promise<void> {
    await this.find(limit, 1)?.reward(hashKey(key), attempts);
  }

  /** Takes back attempts from an IP address, for each network it belongs to. */
  async giveBackByAddress(limit: RateLimit, address: string, attempts = 1): Promise<void> {
    for (const { range, factor } of addressRanges(address)) {
      await this.find(limit, factor)?.reward(hashKey(range), attempts);
    }
  }

  /** Resets the count. */
  async forget(limit: RateLimit, key: string): Promise<void> {
    await this.find(limit, 1)?.delete(hashKey(key));
  }

  private async consume(limit: RateLimit, key: string, factor: number): Promise<void> {
    try {
      await this.find(limit, factor)?.consume(hashKey(key));
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      const isFirst = error.consumedPoints === this.attemptsOf(limit) * factor + 1;
      throw this.tooManyRequests(limit, error.msBeforeNext, isFirst);
    }
  }

  private attemptsOf(limit: RateLimit): number {
    return configuredAttempts(limit, this.config) ?? rateLimits[limit].attempts;
  }

  private tooManyRequests(limit: RateLimit, milliseconds: number, isFirst = false): AppError {
    const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
    const problem = describeLimit(limit, this.attemptsOf(limit));
    return new LimitReachedError(`${problem} Try again in ${describeWait(seconds)}.`, seconds, isFirst);
  }

  private find(limit: RateLimit, factor: number): RateLimiterPostgres | undefined {
    return this.limiters.get(`${limit} ${factor}`);
  }
}

/** Formats a waiting time, rounded up: "1 second", "89 seconds", "15 minutes". */
export function describeWait(seconds: number): string {
  return seconds < 90 ? countOf(seconds, 'second') : countOf(Math.ceil(seconds / 60), 'minute');
}

function countOf(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

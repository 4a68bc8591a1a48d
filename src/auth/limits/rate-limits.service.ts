import { Injectable } from '@nestjs/common';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { DataSource } from 'typeorm';
import { AppError } from '../../common/errors/app-error.js';
import { describeWait } from './describe-wait.js';
import { hashKey, limiterOptions } from './limiter-options.js';

const windowSeconds = 15 * 60;

/** How many attempts fit in a window. The first opens it, and none, refused or not, makes it longer. */
const limits = {
  /** Wrong passwords for one account from one address. */
  'sign-in by account and address': { attempts: 10, windowSeconds },
  /** Wrong passwords from one address, whatever the account. */
  'sign-in by address': { attempts: 50, windowSeconds },
  /** Wrong passwords for one account, from all addresses that are not known for it. */
  'sign-in by account': { attempts: 100, windowSeconds },
  /** Wrong current passwords of a signed-in user. */
  'password change by user': { attempts: 10, windowSeconds },
  /** Wrong invitations from one address. */
  'invitation by address': { attempts: 50, windowSeconds },
  /** Sign-ins through the identity provider that were begun or came back from one address, and did not succeed. */
  'single sign-on by address': { attempts: 200, windowSeconds },
};

export type RateLimit = keyof typeof limits;

/** Counts attempts in the database, so that all replicas count together. */
@Injectable()
export class RateLimitsService {
  private readonly limiters: Map<RateLimit, RateLimiterPostgres>;

  constructor(dataSource: DataSource) {
    const names = Object.keys(limits) as RateLimit[];
    this.limiters = new Map(names.map((name, index) => [name, createLimiter(dataSource, name, index === 0)]));
  }

  /**
   * Counts one attempt, before it is known how it ends: counted afterwards, a thousand at once would all get through.
   *
   * @throws AppError 429 when the window is full
   */
  async spend(limit: RateLimit, key: string): Promise<void> {
    try {
      await this.limiters.get(limit)?.consume(hashKey(key));
    } catch (error) {
      if (error instanceof RateLimiterRes) throw tooManyAttempts(error.msBeforeNext);
      throw error;
    }
  }

  /** Takes attempts back, because they were no wrong ones. */
  async giveBack(limit: RateLimit, key: string, attempts = 1): Promise<void> {
    await this.limiters.get(limit)?.reward(hashKey(key), attempts);
  }

  /** Forgets all attempts. */
  async forget(limit: RateLimit, key: string): Promise<void> {
    await this.limiters.get(limit)?.delete(hashKey(key));
  }
}

/** @param removesExpired whether it also empties the table of what is over; one of them does it for all */
function createLimiter(dataSource: DataSource, name: RateLimit, removesExpired: boolean): RateLimiterPostgres {
  const { attempts, windowSeconds: duration } = limits[name];
  const options = { ...limiterOptions(dataSource, name), points: attempts, duration };
  return new RateLimiterPostgres({ ...options, clearExpiredByTimeout: removesExpired });
}

function tooManyAttempts(milliseconds: number): AppError {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
  return new AppError('too-many-requests', `There were too many attempts; try again in ${describeWait(seconds)}.`, {
    headers: { 'retry-after': String(seconds) },
  });
}

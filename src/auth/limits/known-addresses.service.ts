import { Injectable } from '@nestjs/common';
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

import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Principal } from '../access/principal.js';
import { ContinuousBatcher } from '../common/continuous-batcher.js';
import { unauthenticated } from '../common/errors/app-error.js';
import { toUnavailable } from '../common/errors/to-app-error.js';
import { defaultCurrency, ServiceConfig } from '../config/service-config.js';
import { readLimitStates } from '../limits/limit-queries.js';
import { findApiKey } from './find-api-keys.js';
import type { CurrentApiKeyDto } from './dto/current-api-key.dto.js';
import { readMonthCost } from './month-cost.js';

/** A key that asks in a loop leaves the other connections to the management routes. */
const maxReadsAtOnce = 2;
const maxWaitingReads = 100;
const deadlineMilliseconds = 2000;

/** Describes API keys to their holders. */
@Injectable()
export class CurrentApiKeyService {
  private readonly reads: ContinuousBatcher<Principal, EntityManager, CurrentApiKeyDto | undefined>;

  constructor(
    { manager }: DataSource,
    @Inject(ServiceConfig)
    { models, currency = defaultCurrency }: Pick<ServiceConfig, 'models' | 'currency'>,
  ) {
    const priceCurrency = models.some(({ price }) => price !== undefined) ? currency : undefined;
    this.reads = new ContinuousBatcher({
      lanes: Array.from({ length: maxReadsAtOnce }, () => manager),
      maxBatchSize: 1,
      maxQueueLength: maxWaitingReads,
      deadlineMilliseconds,
      execute: (lane, principals) => Promise.all(principals.map((principal) => read(lane, principal, priceCurrency))),
    });
  }

  /**
   * Returns the key of a request, without anything about its organization or people.
   *
   * @throws AppError 401 if the key was deleted or its previous secret revoked in the meantime; 503 if the database doesn't
   *   respond in time, or too many requests are waiting
   */
  async get(principal: Principal): Promise<CurrentApiKeyDto> {
    const key = await this.reads.submit(principal).catch((error: unknown) => {
      throw toUnavailable(error, "The database is unavailable: the API key can't be read. Try again shortly.");
    });
    if (key !== undefined) return key;
    throw unauthenticated('invalid-credential', 'The API key is unknown, expired, revoked or deleted.');
  }
}

/** @param currency of the prices of models; undefined without prices */
async function read(
  manager: EntityManager,
  principal: Principal,
  currency: string | undefined,
): Promise<CurrentApiKeyDto | undefined> {
  const { id, organizationId, usesPreviousSecret = false } = principal;
  const key = await findApiKey(manager, organizationId, id);
  if (key === undefined) return undefined;
  const { name, models, addresses, previousSecretHint, previousSecretExpiresAt } = key;
  const [hint, expiresAt] = usesPreviousSecret
    ? [previousSecretHint, previousSecretExpiresAt]
    : [key.hint, key.expiresAt];
  // The previous secret was revoked.
  if (hint === null) return undefined;
  const limits = await readLimitStates(manager, id);
  const cost = currency === undefined ? undefined : await readMonthCost(manager, { id, organizationId });
  return {
    name,
    hint,
    expiresAt: expiresAt && expiresAt.toISOString(),
    models,
    addresses,
    limits,
    cost: currency === undefined || cost === undefined ? null : { currency, ...cost },
  };
}

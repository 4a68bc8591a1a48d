import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Principal } from '../../access/principal.js';
import { notFound } from '../../common/errors/app-error.js';
import { fromInteger } from '../../common/money/decimal.js';
import { type MeterName, meters } from '../../common/rules/meters.js';
import { costDecimals } from '../../common/rules/price-rules.js';
import type { KeyRequestDto, KeyRequestListDto, KeyRequestsQueryDto } from './key-request.dto.js';
import type { LoggedRequest } from './logged-request.js';
import { readRequests } from './request-queries.js';

/** Reads the latest requests of keys of the principal's organization. */
@Injectable()
export class KeyRequestsService {
  constructor(private readonly dataSource: DataSource) {}

  /** @throws AppError 404 for an unknown or foreign id */
  async list(
    { organizationId }: Principal,
    id: string,
    { page, perPage, outcome, requestId }: KeyRequestsQueryDto,
  ): Promise<KeyRequestListDto> {
    const all = await readRequests(this.dataSource, organizationId, id);
    if (all === undefined) throw notFound('API key');
    const found = all.filter(
      (request) =>
        (outcome === undefined || request.outcome === outcome) &&
        (requestId === undefined || request.requestId === requestId),
    );
    return {
      total: found.length,
      page,
      perPage,
      requests: found.slice((page - 1) * perPage, page * perPage).map(toDto),
    };
  }
}

function toDto({ occurredAt, model, cost, used, ...request }: LoggedRequest): KeyRequestDto {
  const amounts = Object.fromEntries(meters.map(({ name }) => [name, used[name] ?? 0])) as Record<MeterName, number>;
  return {
    ...request,
    occurredAt: occurredAt.toISOString(),
    model: model === '' ? null : model,
    cost: cost === null ? null : fromInteger(cost, costDecimals),
    ...amounts,
  };
}

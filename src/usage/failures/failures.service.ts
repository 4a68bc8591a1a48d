import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Principal } from '../../access/principal.js';
import { notFound } from '../../common/errors/app-error.js';
import { currentTime } from '../../database/clock.js';
import type { RequestIdQueryDto } from '../dto/request.dto.js';
import { toUsagePeriod } from '../usage-period.js';
import { findSelectedKeys, findUsedKeys } from '../used-keys.js';
import { clientCodeOf, describeFailure } from './failure.js';
import type { FailedRequestListDto, FailureReportDto, FailuresQueryDto } from './failure.dto.js';
import { readFailedRequests, readFailureCounts } from './failure-queries.js';

/** Whether the key has a leaked secret that wasn't revoked, as in its state `leaked`. */
const selectKey = `
  select leaked_secret = 'current' or leaked_secret = 'previous' and previous_secret_expires_at > ${currentTime} as "isLeaked"
  from api_keys where id = $1 and organization_id = $2`;

/** Reads failed requests of the principal's organization. */
@Injectable()
export class FailuresService {
  constructor(private readonly dataSource: DataSource) {}

  /** @throws AppError 404 for an unknown or foreign id */
  async listOfKey(
    { organizationId }: Principal,
    id: string,
    { requestId }: RequestIdQueryDto,
  ): Promise<FailedRequestListDto> {
    const [key] = await this.dataSource.query<{ isLeaked: boolean | null }[]>(selectKey, [id, organizationId]);
    if (key === undefined) throw notFound('API key');
    const isLeaked = key.isLeaked === true;
    const failures = await readFailedRequests(this.dataSource, { organizationId, apiKeyId: id, requestId });
    return {
      failures: failures.map(({ occurredAt, model, code, ...failure }) => ({
        occurredAt: occurredAt.toISOString(),
        route: failure.route,
        model: model === '' ? null : model,
        requestedModel: failure.requestedModel,
        status: failure.status,
        code,
        clientCode: clientCodeOf(code),
        ...describeFailure(code, isLeaked),
        invalidFields: failure.invalidFields,
        exceededLimit: failure.exceededLimit,
        requestId: failure.requestId,
        address: failure.address,
      })),
    };
  }

  /** @throws AppError 400 if the period is empty */
  async count({ organizationId }: Principal, query: FailuresQueryDto): Promise<FailureReportDto> {
    const { model: models, tag: tags } = query;
    const period = toUsagePeriod({ ...query, interval: 'none', timeZone: 'UTC' }, new Date());
    const apiKeyIds = await findSelectedKeys(this.dataSource, organizationId, query);
    const counts = await readFailureCounts(this.dataSource, { organizationId, ...period, apiKeyIds, models, tags });
    const ids = counts.flatMap(({ apiKeys }) => apiKeys.map(({ id }) => id));
    const keyOf = await findUsedKeys(this.dataSource, organizationId, ids);
    return {
      from: period.from.toISOString(),
      to: period.to.toISOString(),
      failures: counts.map(({ status, code, requests, apiKeys, apiKeyCount }) => ({
        status,
        code,
        clientCode: clientCodeOf(code),
        ...describeFailure(code),
        requests: Number(requests),
        apiKeys: apiKeys.map((key) => ({ ...keyOf(key.id), requests: key.requests })),
        apiKeyCount,
      })),
    };
  }
}

import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Principal } from '../../access/principal.js';
import { AppError } from '../../common/errors/app-error.js';
import { FailuresService } from '../failures/failures.service.js';
import { type FoundRequestsDto, type KeyOfRequestDto, maxFoundRequests } from './found-request.dto.js';
import { KeyRequestsService } from './key-requests.service.js';
import { findKeysOfRequest, type KeyOfRequest } from './request-queries.js';

/** Finds requests of the principal's organization by their ID, without their key. */
@Injectable()
export class RequestSearchService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly requests: KeyRequestsService,
    private readonly failures: FailuresService,
  ) {}

  /** Returns the keys that list requests with this ID, as their own routes do. */
  async find(principal: Principal, requestId: string): Promise<FoundRequestsDto> {
    const apiKeys: KeyOfRequestDto[] = [];
    for (const key of await findKeysOfRequest(this.dataSource, principal.organizationId, requestId)) {
      const found = await this.read(principal, key, requestId);
      if (found.requests.length + found.failures.length > 0) apiKeys.push(found);
    }
    return { apiKeys };
  }

  private async read(principal: Principal, key: KeyOfRequest, requestId: string): Promise<KeyOfRequestDto> {
    try {
      const { requests } = await this.requests.list(principal, key.id, {
        page: 1,
        perPage: maxFoundRequests,
        requestId,
      });
      const { failures } = await this.failures.listOfKey(principal, key.id, { requestId });
      return { ...key, requests, failures };
    } catch (error) {
      // The key was deleted a moment ago, with its requests.
      if (error instanceof AppError && error.code === 'not-found') return { ...key, requests: [], failures: [] };
      throw error;
    }
  }
}

import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { FastifyRequest } from 'fastify';
import { DataSource } from 'typeorm';
import { ApiKey } from '../../src/api-keys/api-key.entity.js';
import { hashApiKey } from '../../src/api-keys/api-key.token.js';
import { readBearerToken } from '../../src/access/bearer-token.js';

/** What one would write first: a guard that asks the repository for the key, once a request. */
@Injectable()
export class TypeOrmKeyGuard implements CanActivate {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const keyHash = hashApiKey(readBearerToken(request) ?? '');
    const apiKey = await this.dataSource.getRepository(ApiKey).findOneBy({ keyHash });
    if (apiKey === null) return false;
    request.principal = { kind: 'api-key', id: apiKey.id, organizationId: apiKey.organizationId, permissions: [] };
    return true;
  }
}

import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { isUUID } from 'class-validator';
import { Repository, type SelectQueryBuilder } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Principal } from '../auth/principal.js';
import { AppError } from '../common/errors/app-error.js';
import { ApiKey } from './api-key.entity.js';
import { generateApiKey, hashApiKey, hintOfApiKey } from './api-key.token.js';
import type { CreateApiKeyDto } from './dto/create-api-key.dto.js';
import type { ApiKeyDto, ApiKeyListDto, ListApiKeysQueryDto } from './dto/list-api-keys.dto.js';
import { foldName } from './fold-name.js';

/** How a key is shown where it is only mentioned. */
export interface NamedApiKey {
  id: string;
  name: string;
  hint: string;
  isDeleted: boolean;
}

@Injectable()
export class ApiKeysService {
  constructor(@InjectRepository(ApiKey) private readonly apiKeys: Repository<ApiKey>) {}

  /** Creates a key in the principal's organization; the answer is the only place where the key can be read. */
  async create(principal: Principal, { name }: CreateApiKeyDto): Promise<{ id: string; key: string }> {
    const id = uuidv7();
    const key = generateApiKey();
    await this.apiKeys.insert({
      id,
      organizationId: principal.organizationId,
      name,
      foldedName: foldName(name),
      hint: hintOfApiKey(key),
      keyHash: hashApiKey(key),
      createdById: principal.id,
    });
    return { id, key };
  }

  /** One page of the keys of the principal's organization. */
  async list(principal: Principal, query: ListApiKeysQueryDto): Promise<ApiKeyListDto> {
    const [total, apiKeys] = await Promise.all([
      this.matching(principal, query.name).getCount(),
      this.findPage(principal, query),
    ]);
    return { total, page: query.page, perPage: query.perPage, apiKeys: apiKeys.map(toDto) };
  }

  /**
   * What the keys with these ids are called, by id; deleted ones included, other organizations' left out.
   */
  async findNames({ organizationId }: Principal, ids: readonly string[]): Promise<Map<string, NamedApiKey>> {
    // One statement: a key that is deleted meanwhile is found in one of the two tables.
    const keys = await this.apiKeys.query<NamedApiKey[]>(
      `select id, name, hint, false as "isDeleted" from api_keys where organization_id = $1 and id = any($2)
       union all
       select id, name, hint, true from deleted_api_keys where organization_id = $1 and id = any($2)`,
      [organizationId, ids],
    );
    return new Map(keys.map((key) => [key.id, key]));
  }

  /**
   * Deletes a key of the principal's organization. When this returns, no replica accepts the key any more. Its name
   * and hint are kept, for its usage.
   *
   * @throws AppError 404 for an unknown, malformed or foreign id
   */
  async delete({ organizationId }: Principal, id: string): Promise<void> {
    const deleted = isUUID(id)
      ? await this.apiKeys.query<{ id: string }[]>(
          `with deleted as (
             delete from api_keys where id = $1 and organization_id = $2 returning id, organization_id, name, hint
           )
           insert into deleted_api_keys (id, organization_id, name, hint) select * from deleted returning id`,
          [id, organizationId],
        )
      : [];
    if (deleted.length !== 1) throw new AppError('not-found', 'There is no API key with this id in your organization.');
  }

  /**
   * Skips to the page among the ids, which the index alone can answer, and only then reads the rows of that page.
   */
  private async findPage(principal: Principal, query: ListApiKeysQueryDto): Promise<ApiKey[]> {
    const { page, perPage, order, orderBy, name } = query;
    const field = orderBy === 'name' ? 'foldedName' : 'createdAt';
    const ids = this.matching(principal, name)
      .select('key.id', 'id')
      .orderBy(`key.${field}`, order)
      .addOrderBy('key.id', order)
      .offset((page - 1) * perPage)
      .limit(perPage);
    return this.apiKeys
      .createQueryBuilder('api_key')
      .where(`api_key.id IN (${ids.getQuery()})`)
      .setParameters(ids.getParameters())
      .orderBy(`api_key.${field}`, order)
      .addOrderBy('api_key.id', order)
      .getMany();
  }

  private matching({ organizationId }: Principal, name: string | undefined): SelectQueryBuilder<ApiKey> {
    const keys = this.apiKeys.createQueryBuilder('key').where('key.organizationId = :organizationId', {
      organizationId,
    });
    // strpos, unlike LIKE, knows no wildcards.
    return name ? keys.andWhere('strpos(key.foldedName, :name) > 0', { name: foldName(name) }) : keys;
  }
}

function toDto({ id, name, hint, createdAt, updatedAt, lastUsedAt }: ApiKey): ApiKeyDto {
  return {
    id,
    name,
    hint,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    ...(lastUsedAt !== null && { lastUsedAt: lastUsedAt.toISOString() }),
  };
}

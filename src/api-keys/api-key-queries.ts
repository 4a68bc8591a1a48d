import type { Repository, SelectQueryBuilder } from 'typeorm';
import type { ApiKey } from './api-key.entity.js';
import type { ListApiKeysQueryDto } from './dto/api-key.dto.js';
import { foldText } from '../common/validation/fold-text.js';

/** How many keys of the organization match, and those of the page. */
export async function findApiKeysPage(
  apiKeys: Repository<ApiKey>,
  organizationId: string,
  query: ListApiKeysQueryDto,
): Promise<{ total: number; page: ApiKey[] }> {
  const [total, page] = await Promise.all([
    matching(apiKeys, organizationId, query.name).getCount(),
    findPage(apiKeys, organizationId, query),
  ]);
  return { total, page };
}

/** Skips to the page among the ids, which the index alone can answer, and only then reads the rows of that page. */
function findPage(
  apiKeys: Repository<ApiKey>,
  organizationId: string,
  { page, perPage, order, orderBy, name }: ListApiKeysQueryDto,
): Promise<ApiKey[]> {
  const field = orderBy === 'name' ? 'foldedName' : 'createdAt';
  const ids = matching(apiKeys, organizationId, name)
    .select('key.id', 'id')
    .orderBy(`key.${field}`, order)
    .addOrderBy('key.id', order)
    .offset((page - 1) * perPage)
    .limit(perPage);
  return apiKeys
    .createQueryBuilder('api_key')
    .where(`api_key.id IN (${ids.getQuery()})`)
    .setParameters(ids.getParameters())
    .orderBy(`api_key.${field}`, order)
    .addOrderBy('api_key.id', order)
    .getMany();
}

function matching(
  apiKeys: Repository<ApiKey>,
  organizationId: string,
  name: string | undefined,
): SelectQueryBuilder<ApiKey> {
  const keys = apiKeys.createQueryBuilder('key').where('key.organizationId = :organizationId', { organizationId });
  // strpos, unlike LIKE, knows no wildcards.
  return name ? keys.andWhere('strpos(key.foldedName, :name) > 0', { name: foldText(name) }) : keys;
}

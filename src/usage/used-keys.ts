import type { DataSource } from 'typeorm';
import type { UsageApiKeyDto } from './dto/usage-report.dto.js';

/** Returns a function that describes the organization's keys with these ids, including deleted ones. */
export async function findUsedKeys(
  dataSource: DataSource,
  organizationId: string,
  ids: readonly string[],
): Promise<(id: string) => UsageApiKeyDto> {
  // In one statement, so that a key that is being deleted is found in exactly one of the tables.
  const found = await dataSource.query<UsageApiKeyDto[]>(
    `select id, name, hint, false as "isDeleted" from api_keys where organization_id = $1 and id = any($2)
     union all
     select id, name, hint, true from deleted_api_keys where organization_id = $1 and id = any($2)`,
    [organizationId, ids],
  );
  const keys = new Map(found.map((key) => [key.id, key]));
  return (id) => keys.get(id) ?? unknownKey(id);
}

/** For a key that was removed from the database without being deleted through Keycard. */
function unknownKey(id: string): UsageApiKeyDto {
  return { id, name: 'Unknown key', hint: 'kc_', isDeleted: true };
}

/**
 * Ids of the keys that usage is limited to: chosen ones, those that some users or service accounts created, including
 * deleted ones, or those that are both. Undefined for all keys.
 */
export async function findSelectedKeys(
  dataSource: DataSource,
  organizationId: string,
  { apiKeyId, creatorId }: { apiKeyId?: string[] | undefined; creatorId?: string[] | undefined },
): Promise<string[] | undefined> {
  if (creatorId === undefined) return apiKeyId;
  const keys = await dataSource.query<{ id: string }[]>(
    ['api_keys', 'deleted_api_keys']
      .flatMap((table) => ['created_by_id', 'created_by_service_account_id'].map((column) => selectIds(table, column)))
      .join(' union all '),
    [organizationId, creatorId, apiKeyId ?? null],
  );
  return keys.map(({ id }) => id);
}

const selectIds = (table: string, column: string) =>
  `select id from ${table}
   where organization_id = $1 and ${column} = any ($2::uuid[]) and ($3::uuid[] is null or id = any ($3))`;

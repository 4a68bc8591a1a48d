import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { maxLimit } from '../../src/common/rules/limit-rules.js';
import type { Limit } from '../../src/limits/limit.js';
import { generateApiKey, hashApiKey, hintOfApiKey } from '../../src/api-keys/api-key.token.js';

/** Many more than callers, so that two rarely send the same key. */
const knownKeyCount = 1000;

/** Creates an organization with API keys, and returns the keys in plaintext. */
export async function insertKnownKeys(client: pg.Client, count = knownKeyCount): Promise<string[]> {
  const organizationId = uuidv7();
  const keys = Array.from({ length: count }, generateApiKey);
  await insertKeys(client, keys, () => organizationId);
  return keys;
}

/** Creates organizations with one API key each, and returns the keys in plaintext. */
export async function insertOrganizations(client: pg.Client, count: number): Promise<string[]> {
  const keys = Array.from({ length: count }, generateApiKey);
  await insertKeys(client, keys, () => uuidv7());
  return keys;
}

async function insertKeys(client: pg.Client, keys: readonly string[], organizationOfNext: () => string) {
  const organizationIds = keys.map(organizationOfNext);
  await client.query(
    `insert into organizations (id, name) select distinct id, 'Known keys' from unnest($1::uuid[]) as id`,
    [organizationIds],
  );
  await client.query(
    `insert into api_keys (id, organization_id, name, folded_name, hint, secret_hash)
     select id, organization_id, 'A known key', 'a known key', hint, secret_hash
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::bytea[]) as known (id, organization_id, hint, secret_hash)`,
    [keys.map(() => uuidv7()), organizationIds, keys.map(hintOfApiKey), keys.map(hashApiKey)],
  );
}

/** ID of the key's organization. */
export async function organizationOf(client: pg.Client, key: string): Promise<string> {
  const { rows } = await client.query<{ organization_id: string }>(
    `select organization_id from api_keys where secret_hash = sha256($1::bytea)`,
    [Buffer.from(key)],
  );
  return rows[0]?.organization_id ?? '';
}

const manyRequests: Limit[] = [{ metric: 'requests', per: 'minute', max: maxLimit }];

/** Limits keys, by default to more requests than a benchmark sends. */
export async function limitKeys(
  client: pg.Client,
  keys: readonly string[],
  limits: readonly Limit[] = manyRequests,
): Promise<void> {
  await client.query(
    `with limited as (
       update api_keys set limits = $2 where secret_hash = any($1) returning id, organization_id
     )
     insert into limit_counters (owner_id, metric, per, organization_id)
     select id, metric || coalesce(models::text, ''), coalesce(per, ''), organization_id
     from limited cross join jsonb_to_recordset($2) as added (metric text, per text, models jsonb)`,
    [keys.map(hashApiKey), JSON.stringify(limits)],
  );
}

/** Limits the organization of keys. */
export async function limitOrganizationOf(
  client: pg.Client,
  [key = '']: readonly string[],
  limits: readonly Limit[],
): Promise<void> {
  const organizationId = await organizationOf(client, key);
  await client.query('update organizations set limits = $2 where id = $1', [organizationId, JSON.stringify(limits)]);
  await client.query('update api_keys set organization_limited = true where organization_id = $1', [organizationId]);
  await client.query(
    `insert into limit_counters (owner_id, metric, per, organization_id)
     select $1, metric, coalesce(per, ''), $1 from jsonb_to_recordset($2) as added (metric text, per text)`,
    [organizationId, JSON.stringify(limits)],
  );
}

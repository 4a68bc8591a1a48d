import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { maxLimit } from '../../src/common/rules/limit-rules.js';
import type { Limit } from '../../src/limits/limit.js';
import { generateApiKey, hashApiKey, hintOfApiKey } from '../../src/api-keys/api-key.token.js';

/** Many more than callers, so that two rarely send the same key. */
const knownKeyCount = 1000;

/** Creates an organization with API keys, and returns the keys in plaintext. */
export async function insertKnownKeys(client: pg.Client): Promise<string[]> {
  const organizationId = uuidv7();
  const keys = Array.from({ length: knownKeyCount }, generateApiKey);
  await client.query('insert into organizations (id, name) values ($1, $2)', [organizationId, 'Known keys']);
  await client.query(
    `insert into api_keys (id, organization_id, name, folded_name, hint, secret_hash)
     select id, $1, 'A known key', 'a known key', hint, secret_hash
     from unnest($2::uuid[], $3::text[], $4::bytea[]) as known (id, hint, secret_hash)`,
    [organizationId, keys.map(() => uuidv7()), keys.map(hintOfApiKey), keys.map(hashApiKey)],
  );
  return keys;
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

import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';

/** Organizations whose keys are listed. */
export interface ListedOrganizations {
  /** Has 900 of the million keys, like most others. */
  ordinaryOrganizationId: string;
  /** Has 100,000 of the million keys. */
  largeOrganizationId: string;
}

const organizationCount = 1000;
const keyCount = 1_000_000;
export const ordinaryKeyCount = 900;
const smallTableKeyCount = 1000;

/** Inserts 1,000 organizations and 1,000 keys: 900 in the ordinary organization, the rest in the large one. */
export async function insertFewKeys(client: pg.Client): Promise<ListedOrganizations> {
  const ids = Array.from({ length: organizationCount }, () => uuidv7());
  await client.query(
    `create table bench_organizations as
     select id, number::integer - 1 as number from unnest($1::uuid[]) with ordinality as given (id, number)`,
    [ids],
  );
  await client.query(
    `insert into organizations (id, name) select id, 'Organization ' || number from bench_organizations`,
  );
  await insertKeys(client, 1, smallTableKeyCount, `case when i <= ${ordinaryKeyCount} then 1 else 0 end`);
  await client.query('vacuum analyze api_keys');
  return { ordinaryOrganizationId: ids[1] ?? '', largeOrganizationId: ids[0] ?? '' };
}

/** Fills the table up to 1,000,000 keys: every tenth in the large organization, none in the ordinary one. */
export async function insertManyKeys(client: pg.Client): Promise<void> {
  const others = organizationCount - 2;
  await insertKeys(client, smallTableKeyCount + 1, keyCount, `case when i % 10 = 0 then 0 else 2 + i % ${others} end`);
  await client.query('vacuum analyze api_keys');
  // Otherwise the server would write these pages during the next measurements.
  await client.query('checkpoint');
}

/** Adjacent rows belong to different organizations, as after years of use. */
async function insertKeys(client: pg.Client, first: number, last: number, organizationNumber: string): Promise<void> {
  await client.query(
    `insert into api_keys (id, organization_id, name, folded_name, hint, secret_hash, created_at, updated_at)
     select gen_random_uuid(), organization.id, key.name, lower(key.name), 'kc_bench', sha256(i::text::bytea), key.at, key.at
     from generate_series(${first}, ${last}) as i
     join bench_organizations as organization on organization.number = ${organizationNumber}
     cross join lateral (
       select (array['Search', 'Billing', 'Import', 'Mobile'])[1 + i % 7 % 4] || ' key ' || md5(i::text) as name,
              timestamptz '2026-01-01' + i * interval '10 seconds' as at
     ) as key`,
  );
}

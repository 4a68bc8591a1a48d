import { type Cell, change, readJson, select } from './cell.js';
import { upsert } from './upsert.js';

const batchSize = 1000;

/** Creators are added last, because the target gets their accounts last. */
const creators = ['created_by_id', 'created_by_service_account_id'];

const readDigests = `
  select id, md5(row_to_json(api_keys)::text) as digest from api_keys where organization_id = $1 order by id`;

/** Copies API keys, first while the source serves, and again only those that have changed since. */
export class KeyCopy {
  private readonly digests = new Map<string, string>();

  constructor(
    private readonly source: Cell,
    private readonly target: Cell,
    private readonly organizationId: string,
  ) {}

  /** Makes the target's keys the same as the source's. Those that were deleted in the source are deleted. */
  async copy(onCopied: (copied: number, of: number) => void = () => undefined): Promise<number> {
    const { source, target, organizationId } = this;
    const keys = await select<{ id: string; digest: string }>(source, readDigests, [organizationId]);
    await change(target, 'delete from api_keys where organization_id = $1 and id <> all ($2::uuid[])', [
      organizationId,
      keys.map(({ id }) => id),
    ]);
    const changed = keys.filter(({ id, digest }) => this.digests.get(id) !== digest);
    for (let first = 0; first < changed.length; first += batchSize) {
      const part = changed.slice(first, first + batchSize);
      const { rows } = await readJson(source, 'select * from api_keys where id = any ($1::uuid[])', [
        part.map(({ id }) => id),
      ]);
      await upsert(target, 'api_keys', ['id'], rows, creators);
      for (const { id, digest } of part) this.digests.set(id, digest);
      onCopied(first + part.length, changed.length);
    }
    return keys.length;
  }

  /** Adds who created the keys, as far as the target has their accounts. */
  async addCreators(): Promise<void> {
    const { source, target, organizationId } = this;
    for (let after = nilUuid; ;) {
      const { rows, count } = await readJson(source, readCreators, [organizationId, after]);
      if (count === 0) return;
      const [added] = await select<{ last: string }>(target, writeCreators, [rows]);
      if (added === undefined || count < batchSize) return;
      after = added.last;
    }
  }
}

const nilUuid = '00000000-0000-0000-0000-000000000000';

const readCreators = `
  select api_keys.id, created_by_id, email, created_by_service_account_id from api_keys
  left join users on users.id = created_by_id
  where organization_id = $1 and api_keys.id > $2 and num_nonnulls(created_by_id, created_by_service_account_id) > 0
  order by api_keys.id limit ${batchSize}`;

/** Accounts have another id in the target if they were matched by email. Keys are found by their primary key. */
const writeCreators = `
  with creators as materialized (
    select key.id, service_accounts.id as service_account_id, coalesce(same.id, (
        select users.id from users where users.email = key.email
      )) as user_id
    from json_to_recordset($1::json)
      as key (id uuid, created_by_id uuid, email text, created_by_service_account_id uuid)
    left join users as same on same.id = key.created_by_id
    left join service_accounts on service_accounts.id = key.created_by_service_account_id
  ), updated as (
    update api_keys set created_by_id = user_id, created_by_service_account_id = service_account_id
    from creators where api_keys.id = creators.id
      and num_nonnulls(api_keys.created_by_id, api_keys.created_by_service_account_id) = 0
  )
  select id as last from creators order by id desc limit 1`;

import type { QueryRunner } from 'typeorm';
import { isReading, permissionCatalog, type PermissionDefinition } from './permissions.js';

type Catalog = Readonly<Record<string, PermissionDefinition>>;

/**
 * Gives the permissions that a migration adds to all roles that hold the earlier ones, such as Owner. Those that only read
 * also go to roles that hold exactly the earlier ones that only read, such as Auditor.
 *
 * @param migration its name, which new permissions have as `since`
 */
export async function grantNewPermissions(
  queryRunner: QueryRunner,
  migration: string,
  catalog: Catalog = permissionCatalog,
): Promise<void> {
  await queryRunner.query(
    'update roles set permissions = permissions || $1::text[] where permissions @> $2::text[] and not permissions && $1',
    [addedBy(migration, catalog), addedBefore(migration, catalog)],
  );
  await queryRunner.query(
    'update roles set permissions = permissions || $1::text[] where permissions @> $2::text[] and permissions <@ $2 and not permissions && $1',
    [addedBy(migration, catalog).filter(isReading), addedBefore(migration, catalog).filter(isReading)],
  );
}

/** Takes the permissions that a migration adds from all roles. */
export async function takeNewPermissions(
  queryRunner: QueryRunner,
  migration: string,
  catalog: Catalog = permissionCatalog,
): Promise<void> {
  await queryRunner.query(
    `update roles set permissions = array(
       select permission from unnest(permissions) with ordinality as held (permission, position)
       where permission <> all ($1::text[]) order by position
     )
     where permissions && $1`,
    [addedBy(migration, catalog)],
  );
}

function addedBy(migration: string, catalog: Catalog): string[] {
  return Object.keys(catalog).filter((permission) => catalog[permission]?.since === migration);
}

function addedBefore(migration: string, catalog: Catalog): string[] {
  return Object.keys(catalog).filter((permission) => {
    const since = catalog[permission]?.since;
    return since === undefined || timestampOf(since) < timestampOf(migration);
  });
}

/** The digits at the end of its name, by which TypeORM orders migrations. */
const timestampOf = (migration: string) => migration.slice(-13);

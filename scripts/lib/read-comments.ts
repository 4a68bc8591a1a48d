import type { DataSource } from 'typeorm';

interface Description {
  table: string;
  /** Null for the table itself. */
  column: string | null;
  text: string;
}

/**
 * Gives the entities the comments of their tables and columns, which only the SQL of the migrations has. Otherwise, TypeORM
 * would want to delete the comments.
 */
export async function readComments(dataSource: DataSource): Promise<void> {
  const descriptions = await dataSource.query<Description[]>(`
    select relname as table, attname as column, description as text
    from pg_description
    join pg_class on pg_class.oid = objoid and relnamespace = current_schema()::regnamespace
    left join pg_attribute on attrelid = objoid and attnum = objsubid and objsubid <> 0
    where classoid = 'pg_class'::regclass`);
  const find = (table: string, column: string | null) =>
    descriptions.find((one) => one.table === table && one.column === column)?.text;
  for (const entity of dataSource.entityMetadatas) {
    const comment = find(entity.tableName, null);
    if (comment !== undefined) entity.comment = comment;
    for (const column of entity.columns) {
      const text = find(entity.tableName, column.databaseName);
      if (text !== undefined) column.comment = text;
    }
  }
}

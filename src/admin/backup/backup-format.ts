import { z } from 'zod';

/*
 * A backup is gzipped text: a line of JSON about the backup, then for each table a line of JSON, its rows as PostgreSQL's
 * `COPY … TO STDOUT` writes them, the line `\.`, and a line with their number and checksum; finally a line with totals.
 * Parent tables precede the tables that refer to them. In COPY's text format, `\.` is never a row.
 */

/**
 * Largest row, as text. Keycard's own are much smaller. A row is kept in memory until its end, and a small file can contain
 * a large one.
 */
export const maxRowBytes = 64 * 1024 * 1024;

/** Each table takes time, even without rows. */
export const maxTables = 1000;

/** Increased when an earlier Keycard couldn't read the file. */
export const formatVersion = 1;

/** The line after a table's rows. */
export const endOfRows = '\\.\n';

/** Reads the version alone, because the rest of a newer header may differ. */
export const versionSchema = z.object({ keycardBackup: z.int() });

export const headerSchema = z.object({
  keycardBackup: z.literal(formatVersion),
  keycardVersion: z.string(),
  postgresVersion: z.string(),
  createdAt: z.iso.datetime(),
  /** Migrations applied to the database, in order. They create the tables that the rows fit. */
  migrations: z.array(z.string()).nonempty(),
});

export type BackupHeader = z.infer<typeof headerSchema>;

export const tableSchema = z.object({ table: z.string(), columns: z.array(z.string()).nonempty() });

export type BackupTable = z.infer<typeof tableSchema>;

export const checksumSchema = z.object({ rows: z.int(), sha256: z.string() });

export type Checksum = z.infer<typeof checksumSchema>;

export const totalsSchema = z.object({ tables: z.int(), rows: z.int() });

export type Totals = z.infer<typeof totalsSchema>;

/** Makes the text of rows independent of the settings of server, database and role. */
export const copySettings = `
  set client_encoding = 'UTF8'; set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set timezone = 'UTC';
  set extra_float_digits = 1; set bytea_output = 'hex';
  set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0;
  set idle_session_timeout = 0`;

export const quoteName = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** `"table" ("column", …)`. */
export const quoteTable = ({ table, columns }: BackupTable) =>
  `${quoteName(table)} (${columns.map(quoteName).join(', ')})`;

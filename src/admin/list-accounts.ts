import type { AdminCommand } from './admin-command.js';
import { inTransaction } from './in-transaction.js';

interface Row {
  email: string;
  name: string;
  signIn: string;
  organizations: string;
  created: string;
}

const headings: Row = {
  email: 'EMAIL',
  name: 'NAME',
  signIn: 'SIGN-IN',
  organizations: 'ORGANIZATIONS (ROLE)',
  created: 'CREATED',
};

export const listAccounts: AdminCommand = {
  parameters: [],
  description: 'List all accounts, how they sign in, and their organizations.',
  audited: ['account.list'],
  run: inTransaction(async ({ manager, record }) => {
    const rows = await manager.query<Row[]>(
      `select email, name, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as created,
         coalesce(nullif(concat_ws(', ',
           case when password_hash is not null then 'password' end,
           case when exists (select from user_identities where user_id = users.id) then 'single sign-on' end
         ), ''), 'none') as "signIn",
         coalesce((
           select string_agg(format('%s (%s)', organizations.name, roles.name), '; ' order by organizations.name)
           from memberships
             join organizations on organizations.id = memberships.organization_id
             join roles on roles.id = memberships.role_id
           where memberships.user_id = users.id
         ), 'none') as organizations
       from users order by email`,
    );
    await record(null, { action: 'account.list', target: { kind: 'user', id: null, name: null } });
    return toTable([headings, ...rows]);
  }),
};

function toTable(rows: Row[]): string {
  const columns = Object.keys(headings) as (keyof Row)[];
  const cells = rows.map((row) => columns.map((column) => printable(row[column])));
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => row[index]?.length ?? 0)));
  return cells
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Replaces characters that control the terminal or reorder its text. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
}

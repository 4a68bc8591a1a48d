import { meters } from '../common/rules/meters.js';

/** The columns of the meters that count toward a kind of limit. */
function columnsOf(kind: 'tokens' | 'pages') {
  return meters.filter(({ limit }) => limit === kind).map(({ column }) => ({ column }));
}

/** What recorded-usage.sql repeats lines for. */
export const recordedColumns = { tokens: columnsOf('tokens'), pages: columnsOf('pages') };

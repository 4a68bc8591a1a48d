import { type Meter, type MeterName, meters } from '../common/rules/meters.js';

/**
 * What usage tables sum up of requests: the meters, how many of the requests had a price, with their cost, and how many had a
 * first token, with the time to it.
 */
export type UsageColumnName = MeterName | 'pricedRequests' | 'cost' | 'firstTokens' | 'firstTokenMicroseconds';

interface UsageColumn extends Pick<Meter, 'column'> {
  readonly name: UsageColumnName;
}

/**
 * The columns that usage tables have for sums, apart from requests and how they ended. Null: not used. `cost` is in
 * billionths of the currency.
 */
export const usageColumns: readonly UsageColumn[] = [
  ...meters.map(({ name, column }) => ({ name, column })),
  { name: 'pricedRequests', column: 'priced_requests' },
  { name: 'cost', column: 'cost' },
  { name: 'firstTokens', column: 'first_tokens' },
  { name: 'firstTokenMicroseconds', column: 'first_token_microseconds' },
];

/** PostgreSQL's largest bigint. Sums that would exceed it stay there, because an error would lose usage. */
export const maxSum = '9223372036854775807';

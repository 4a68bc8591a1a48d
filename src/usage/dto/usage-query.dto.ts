import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsTimeZone, IsUUID } from 'class-validator';
import { maxTagLength } from '../../common/rules/tag-rules.js';
import { meters } from '../../common/rules/meters.js';
import { HasCodePoints, IsOneOf, IsTag, OptionalField } from '../../common/validation/field-decorators.js';
import { QueryInstant } from '../../common/validation/instant.js';
import { QueryList } from '../../common/validation/query-list.js';
import { QueryInteger } from '../../common/validation/paging.dto.js';
import { type Interval, intervalEnum, intervals } from '../usage-period.js';

export const groupings = ['apiKey', 'model', 'tag', 'creator', 'none'] as const;
export type Grouping = (typeof groupings)[number];

/** OpenAPI schema of a grouping. */
export const groupingEnum = {
  enum: groupings,
  enumName: 'UsageGroupBy',
  enumSchema: { description: 'What groups of a usage report are.' },
};

export const percentileOrders = ['medianMilliseconds', 'p95Milliseconds', 'p99Milliseconds'] as const;

/** What groups can be ordered by. */
const groupOrders = [
  ...(['requests', 'failures', 'limited', 'cost', 'name'] as const),
  ...meters.map(({ name }) => name),
  ...percentileOrders,
  'firstTokenMilliseconds',
] as const;
export type GroupOrder = (typeof groupOrders)[number];

const orders = ['ASC', 'DESC'] as const;

const maxGroups = 100;
const maxGroupPage = 100_000;

/** What a report contains. */
export class UsageFilterDto {
  @QueryInstant({
    description:
      'Start of the period (inclusive), rounded down to the UTC hour, or with `interval=day` to the day in `timeZone`. Default: 24 hours before `to`.',
  })
  from?: Date;

  @QueryInstant({
    description:
      'End of the period (exclusive), rounded up to the UTC hour, or with `interval=day` to the day in `timeZone`. Default: now.',
  })
  to?: Date;

  @ApiPropertyOptional({
    description:
      'Length of the interval of each point. `none` returns totals only. Usage is kept by `hour` for 35 days, and by UTC day before `hourlyFrom` of the response.',
    ...intervalEnum,
    default: 'day',
  })
  @IsOneOf(intervals)
  interval: Interval = 'day';

  @ApiPropertyOptional({
    type: 'string',
    description: 'IANA time zone that defines days, such as `Europe/Berlin`. Only used with `interval=day`.',
    default: 'UTC',
    minLength: 1,
  })
  @IsTimeZone({ message: '$property must be an IANA time zone, such as Europe/Berlin' })
  timeZone = 'UTC';

  @ApiPropertyOptional({
    description:
      'How to group usage. `none` returns a single group. With `tag`, a key counts in the group of each of its tags, and in a group without a tag if it has none. `creator` groups by the user or service account that created the key.',
    ...groupingEnum,
    default: 'none',
  })
  @IsOneOf(groupings)
  groupBy: Grouping = 'none';

  @QueryInteger({
    minimum: 1,
    maximum: maxGroups,
    description:
      'Maximum number of groups, in the order of `orderBy`. `others` sums up the remaining ones. Default: no limit.',
  })
  @OptionalField()
  limit?: number;

  @QueryInteger({
    minimum: 1,
    maximum: maxGroupPage,
    description: 'Page of groups, with `limit` groups each. `others` sums up those that are not on it. Default: 1.',
  })
  @OptionalField()
  page?: number;

  @ApiPropertyOptional({
    description:
      'What `groups` are ordered by: their number of requests, another amount, a latency, or their `name`, case-insensitive. Groups without the amount come last.',
    enum: groupOrders,
    default: 'requests',
  })
  @IsOneOf(groupOrders)
  orderBy: GroupOrder = 'requests';

  @ApiPropertyOptional({ description: 'Direction of `orderBy`.', enum: orders, default: 'DESC' })
  @IsOneOf(orders)
  order: (typeof orders)[number] = 'DESC';

  @QueryList({ description: 'Only usage of the API key with this id, including deleted keys.', format: 'uuid' })
  @IsUUID('all', { each: true, message: '$property must be the id of an API key, a UUID' })
  apiKeyId?: string[];

  @QueryList({
    description:
      'Only usage of the API keys that the user or service account with this id created, including deleted keys and former members.',
    format: 'uuid',
  })
  @IsUUID('all', { each: true, message: '$property must be the id of a user or service account, a UUID' })
  creatorId?: string[];

  @QueryList({ description: 'Only usage of the model with this id.', minLength: 1, maxLength: 200 })
  @HasCodePoints(1, 200, { each: true })
  model?: string[];

  @QueryList({
    description:
      'Only usage of the API keys that have this tag now, or had it when they were deleted. Case-insensitive.',
    minLength: 1,
    maxLength: maxTagLength,
  })
  @IsTag({ each: true })
  tag?: string[];

  @ApiPropertyOptional({
    description:
      'With `groupBy=tag`, only tags that start with this text are groups, such as `team:`. Keys without such a tag count in the group without a tag. Case-insensitive.',
    minLength: 1,
    maxLength: maxTagLength,
  })
  @OptionalField()
  @IsTag({ noun: 'the start of a tag' })
  tagPrefix?: string;
}

const orderModes = ['amount', 'change'] as const;

/** What a report contains, and what it's compared with. */
export class UsageReportQueryDto extends UsageFilterDto {
  @QueryInstant({
    description:
      'Start of a period to compare with (inclusive), rounded down to the UTC hour. Requires `compareTo`. Groups then include those with usage in only one of the periods, and have `previousTotals`.',
  })
  compareFrom?: Date;

  @QueryInstant({
    description: 'End of the period to compare with (exclusive), rounded up to the UTC hour. Requires `compareFrom`.',
  })
  compareTo?: Date;

  @ApiPropertyOptional({
    description:
      'Whether groups are ordered by the amount of `orderBy`, or by how much it changed since the period to compare with.',
    enum: orderModes,
    default: 'amount',
  })
  @IsOneOf(orderModes)
  orderMode: (typeof orderModes)[number] = 'amount';
}

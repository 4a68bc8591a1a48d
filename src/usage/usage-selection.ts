import { joinFragments, type SqlFragment } from '../database/sql-file.js';
import { dividePeriod, slotsOf } from './divide-period.js';
import { type Grouping, groupings, type UsageFilterDto } from './dto/usage-query.dto.js';
import { allKeys, type SlotLength, slotLengths } from './history/packed-usage.js';
import { groupTags } from './usage-groups.js';
import type { UsagePeriod } from './usage-period.js';

/** An organization, a period and filters. */
export interface UsageSelection extends Pick<
  UsageFilterDto,
  'groupBy' | 'apiKeyId' | 'creatorId' | 'model' | 'tag' | 'tagPrefix'
> {
  organizationId: string;
  period: UsagePeriod;
}

/** Names of the parameters of `selectionValues`. */
export const selectionParameters = [
  ...(['organizationId', 'from', 'to', 'apiKeyIds', 'models', 'tags', 'creators', 'tagPrefix', 'sums'] as const),
  ...(['rangeLengths', 'rangeStarts', 'firstSlots', 'endSlots'] as const),
];

/** What `selected-series.sql` needs. */
export const selectionFragments = {
  all_keys: allKeys,
  cohort_id: `case :sums::text when 'creators' then creator_cohort_id when 'tags' then tags_cohort_id end`,
  group_tags: groupTags,
};

/** SQL for the rows of all slot lengths. */
export const forEachLength = (load: (length: SlotLength) => SqlFragment) =>
  joinFragments(slotLengths.map(load), 'union all');

/** A value for each grouping. */
export const byGrouping = <Value>(load: (groupBy: Grouping) => Value) =>
  Object.fromEntries(groupings.map((groupBy) => [groupBy, load(groupBy)])) as Record<Grouping, Value>;

/** What is added up: the fewest series that the filters and groups can be read from. */
function sumsOf({ groupBy, apiKeyId, creatorId, tag }: UsageSelection): 'all' | 'keys' | 'creators' | 'tags' {
  const byCreator = groupBy === 'creator' || creatorId !== undefined;
  const byTag = groupBy === 'tag' || tag !== undefined;
  if (apiKeyId !== undefined || (byCreator && byTag)) return 'keys';
  if (byCreator) return 'creators';
  return byTag ? 'tags' : 'all';
}

/** @param longest slots to use */
export function selectionValues(selection: UsageSelection, longest: SlotLength, sums = sumsOf(selection)) {
  const { organizationId, period, apiKeyId, creatorId, model, tag, tagPrefix } = selection;
  const { lengths, starts, first, end } = slotValues(period, longest);
  return {
    organizationId,
    from: period.from,
    to: period.to,
    apiKeyIds: apiKeyId ?? null,
    models: model ?? null,
    tags: tag ?? null,
    creators: creatorId ?? null,
    tagPrefix: tagPrefix ?? null,
    sums,
    rangeLengths: lengths,
    rangeStarts: starts,
    firstSlots: first,
    endSlots: end,
  };
}

/** The slots of packed rows in a period. */
export function slotValues(period: UsagePeriod, longest: SlotLength) {
  const ranges = dividePeriod(period, longest, new Date()).flatMap(slotsOf);
  return {
    lengths: ranges.map(({ length }) => length),
    starts: ranges.map(({ start }) => start),
    first: ranges.map(({ first }) => first),
    end: ranges.map(({ end }) => end),
  };
}

import type { ApiKeyRecentUsage as RecentUsage, ListedApiKey } from '../../../api/schema.js';
import { costFormatter, formatCompact, formatExactCost, formatShare, pluralize } from '../../../lib/format-numbers.js';
import { minuteTime } from '../../../lib/format-time.js';
import { NoValue } from '../../../ui/DataTable.js';
import classes from './RecentUse.module.css';

type Use = Pick<ListedApiKey, 'recentUsage' | 'fullestLimit' | 'fullestCostLimit'>;

interface RecentUseProps extends Use {
  formatCost: CostFormat;
  currency: string | undefined;
}

/** Formats the cost of recent usage; undefined without one. */
export type CostFormat = (usage: RecentUsage | undefined) => string | undefined;

/** From this share on, a limit is nearly used up. */
const highShare = 0.8;
const limit = (name: string) => ({ name, full: `${name} reached` });
const budget = (name: string) => ({ name, full: `${name} used up` });
/** With their period first, so that they don't seem to belong to the days above. */
const limitNames = {
  second: limit('Limit per second'),
  minute: limit('Limit per minute'),
  hour: limit('Hourly limit'),
  day: budget('Daily budget'),
  week: budget('Weekly budget'),
  month: budget('Monthly budget'),
};
const barHeight = 16;
const barWidth = 5;

/** Formats the costs of a list of keys alike, so that they can be compared. */
export function recentCostFormat(apiKeys: readonly Use[], currency: string | undefined): CostFormat {
  const costs = apiKeys.flatMap(({ recentUsage }) => recentUsage?.cost ?? []);
  const format = costFormatter(costs.map(Number), currency);
  return (usage) => (typeof usage?.cost === 'string' ? format(Number(usage.cost)) : undefined);
}

/** Requests of a key on the last days, as bars and a number, their cost, and what is used of its limits. */
export function RecentUse({ recentUsage, fullestLimit, fullestCostLimit, formatCost, currency }: RecentUseProps) {
  const cost = formatCost(recentUsage);
  const isUsed = recentUsage !== undefined && recentUsage.requests > 0;
  return (
    <div className={classes.lines}>
      {isUsed && (
        <div className={classes.row}>
          <Bars values={recentUsage.requestsByDay} />
          <span title={pluralize(recentUsage.requests, 'request')}>{formatCompact(recentUsage.requests)}</span>
          <FailedShare {...recentUsage} />
        </div>
      )}
      <div className={classes.costs}>
        {recentUsage?.requests === 0 && <NoValue>None</NoValue>}
        {cost}
        <Budget limit={fullestCostLimit} currency={currency} />
      </div>
      <LimitMark fullestLimit={fullestLimit} />
    </div>
  );
}

/** The same in words, for narrow screens; null for nothing. */
export function describeUse({ recentUsage, fullestLimit, fullestCostLimit, formatCost, currency }: RecentUseProps) {
  const isUsed = recentUsage !== undefined && recentUsage.requests > 0;
  if (!isUsed && fullestCostLimit === undefined && describeLimitUse(fullestLimit) === undefined) return null;
  return (
    <>
      {isUsed && (
        <div className={classes.words}>
          <span>{pluralize(recentUsage.requests, 'request')} in 7 days</span>
          <span>{formatCost(recentUsage)}</span>
          <FailedShare {...recentUsage} />
        </div>
      )}
      <div className={classes.words}>
        <Budget limit={fullestCostLimit} currency={currency} />
        <LimitMark fullestLimit={fullestLimit} />
      </div>
    </>
  );
}

/** Such as "$12.30 of $45.50/month", or of "$65.50/month, increased" while a temporary increase applies. */
function Budget({ limit, currency }: { limit: Use['fullestCostLimit']; currency: string | undefined }) {
  if (limit?.per === undefined) return null;
  const { per, max, used, increase, isIncreased } = limit;
  const added = isIncreased ? increase : undefined;
  const current = Number(max) + Number(added?.by ?? 0);
  const then = added && `Until ${minuteTime(added.until)}, then ${formatExactCost(String(max), currency)}`;
  return (
    <span className={classes.note} title={then ?? limitNames[per].name}>
      {costFormatter([current], currency)(Number(used))} of {formatExactCost(String(current), currency)}/{per}
      {added && ', increased'}
    </span>
  );
}

function FailedShare({ failures, requests }: RecentUsage) {
  if (failures === 0) return null;
  return <span className={`${classes.note} ${classes.failed}`}>{formatShare(failures, requests)} failed</span>;
}

function LimitMark({ fullestLimit }: Pick<Use, 'fullestLimit'>) {
  const text = describeLimitUse(fullestLimit);
  if (text === undefined) return null;
  const isFull = Number(fullestLimit?.remaining) === 0;
  return <span className={`${classes.note} ${isFull ? classes.full : classes.high}`}>{text}</span>;
}

/** Such as "Monthly budget: 92.0% used"; undefined unless the limit is nearly used up. */
function describeLimitUse(fullest: Use['fullestLimit']): string | undefined {
  if (fullest === undefined) return undefined;
  const [used, remaining] = [Number(fullest.used), Number(fullest.remaining)];
  const { name, full } = fullest.per === undefined ? limit('Limit') : limitNames[fullest.per];
  if (remaining === 0) return full;
  return used >= highShare * (used + remaining) ? `${name}: ${formatShare(used, used + remaining)} used` : undefined;
}

function Bars({ values }: { values: readonly number[] }) {
  const max = Math.max(1, ...values);
  return (
    <svg width={values.length * (barWidth + 1)} height={barHeight} className={classes.bars} aria-hidden>
      {values.map((value, index) => {
        // A day without requests has a line, so that the days can be counted.
        const height = Math.max(1, Math.round((value / max) * barHeight));
        return <rect key={index} x={index * (barWidth + 1)} y={barHeight - height} width={barWidth} height={height} />;
      })}
    </svg>
  );
}

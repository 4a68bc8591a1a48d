import type { LimitSettings, ListedApiKey } from '../../../api/schema.js';
import { isSameLimit, type LimitRow } from '../../../common/limits/limit-rows.js';
import { nameSome } from '../../../common/limits/warn-of-limit.js';
import { formatPercent } from '../../../lib/format-numbers.js';

type Key = Pick<ListedApiKey, 'name' | 'limits'>;

/**
 * Warns of alerts and temporary increases of current limits that the entered ones replace without them, because they are
 * easily forgotten: the fields are hidden under "Options".
 *
 * @param now in milliseconds since 1970. Increases that ended are not missed.
 */
export function warnOfLostOptions(keys: readonly Key[], rows: readonly LimitRow[], now: number): string[] {
  const lostAlerts = keys.map((key) => ({ name: key.name, percents: findLostAlerts(key, rows) }));
  const lostIncreases = keys.filter((key) => losesIncrease(key, rows, now));
  return [
    ...describeLostAlerts(lostAlerts.filter(({ percents }) => percents.length > 0)),
    ...describeLostIncreases(lostIncreases.map(({ name }) => name)),
  ];
}

function findLostAlerts(key: Key, rows: readonly LimitRow[]): number[] {
  const lost = replacedLimits(key, rows).flatMap(({ limit, row }) =>
    (limit.notifyAt ?? []).filter((percent) => !row.notifyAt.includes(String(percent))),
  );
  return [...new Set(lost)].sort((one, other) => one - other);
}

function losesIncrease(key: Key, rows: readonly LimitRow[], now: number): boolean {
  return replacedLimits(key, rows).some(
    ({ limit: { increase }, row }) => increase != null && Date.parse(increase.until) > now && row.increase.by === '',
  );
}

function replacedLimits({ limits = [] }: Key, rows: readonly LimitRow[]): { limit: LimitSettings; row: LimitRow }[] {
  return limits.flatMap((limit) => {
    const row = rows.find((candidate) =>
      isSameLimit({ ...limit, per: limit.per, models: limit.models ?? [] }, candidate),
    );
    return row === undefined ? [] : [{ limit, row }];
  });
}

function describeLostAlerts(lost: readonly { name: string; percents: number[] }[]): string[] {
  const [first, ...others] = lost;
  if (first === undefined) return [];
  if (others.length > 0) return [`${nameSome(lost.map(({ name }) => name))} lose alerts.`];
  const alerts = first.percents.length === 1 ? 'alert' : 'alerts';
  return [`${first.name} loses its ${alerts} at ${first.percents.map(formatPercent).join(', ')}.`];
}

function describeLostIncreases(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  return [
    names.length === 1
      ? `${nameSome(names)} loses its temporary increase.`
      : `${nameSome(names)} lose temporary increases.`,
  ];
}

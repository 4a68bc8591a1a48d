import { type Figures, median } from '../rounds.js';
import { quantity } from '../row.js';

/** The ratio above which a path counts as slower, if its spread is above it, too. */
const slowerThan = 1.05;

/** A figure of both builds. */
export interface Compared {
  before: number;
  now: number;
  /** Median of the ratios of all rounds. */
  ratio: number;
  /** The ratios between which the middle half of the rounds lies. */
  spread: [low: number, high: number];
}

/** A hot path of both builds. */
export interface ComparedPath {
  name: string;
  /** Requests, or events of streams. */
  perSecond: Compared;
  /** Processor time of a request in Keycard. */
  ownMicroseconds: Compared;
  /** Processor time of a request in PostgreSQL. */
  databaseMicroseconds: Compared;
}

export interface Comparison {
  /** What is compared with what. */
  title: string;
  /** Headings of the columns of both builds. */
  names: Record<'now' | 'before', string>;
  paths: ComparedPath[];
}

/** Compares the figures of both builds round by round. */
export function compare({ before, now }: Figures<'before' | 'now'>): Compared {
  const ratios = now.map((figure, round) => figure / (before[round] ?? NaN)).sort((left, right) => left - right);
  const at = (share: number) => ratios[Math.round((ratios.length - 1) * share)] ?? NaN;
  return { before: median(before), now: median(now), ratio: median(ratios), spread: [at(0.25), at(0.75)] };
}

/**
 * The paths that became slower: whose processor time grew in nearly all rounds. Throughput isn't judged, because
 * it depends on what else the machine does.
 */
export function slowerPaths({ paths }: Comparison): ComparedPath[] {
  return paths.filter(({ ownMicroseconds, databaseMicroseconds }) =>
    [ownMicroseconds, databaseMicroseconds].some(({ spread: [low] }) => low > slowerThan),
  );
}

/** Formats a comparison as a Markdown table. */
export function formatComparison({ title, names, paths }: Comparison): string {
  const cells = ({ before, now, ratio, spread }: Compared, unit: 'requests/s' | 'µs') => {
    const figures = `${quantity(now, unit)} | ${quantity(before, unit)}`;
    // Processor time is counted in hundredths of a second, so a round may have none.
    if (![ratio, ...spread].every((one) => Number.isFinite(one) && one > 0)) return `${figures} | –`;
    return `${figures} | ${ratio.toFixed(2)} (${spread.map((one) => one.toFixed(2)).join('–')})`;
  };
  return [
    `${title}. Ratios are medians over rounds; the middle half of the rounds is in parentheses.`,
    '',
    `| Hot path | Figure | ${names.now} | ${names.before} | Ratio |`,
    '| --- | --- | --- | --- | --- |',
    ...paths.flatMap(({ name, perSecond, ownMicroseconds, databaseMicroseconds }) => [
      `| ${name} | throughput | ${cells(perSecond, 'requests/s')} |`,
      `| ${name} | CPU time in Keycard | ${cells(ownMicroseconds, 'µs')} |`,
      `| ${name} | CPU time in PostgreSQL | ${cells(databaseMicroseconds, 'µs')} |`,
    ]),
    '',
  ].join('\n');
}

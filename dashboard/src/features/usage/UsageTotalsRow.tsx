import { Paper, SimpleGrid, Skeleton, Text } from '@mantine/core';
import type { Meter } from '@rules/meters.js';
import type { UsageTotals } from '../../api/schema.js';
import {
  formatCost,
  formatCostFigure,
  formatCount,
  formatFigure,
  formatShare,
  pluralize,
} from '../../lib/format-numbers.js';
import { costOf } from './usage-totals.js';
import { describeSource, isShown, shownMeters } from './meters.js';
import { describeChange } from './describe-change.js';
import { describeUnpriced } from './unpriced-requests.js';
import type { Usage } from './usage.js';

const maxLargeCharacters = 9;
/** More figures take several rows. */
const maxColumns = 6;

interface Figure {
  label: string;
  value: (totals: UsageTotals, currency: string) => string;
  /** The full value, if `value` may be shortened. */
  exactValue?: (totals: UsageTotals, currency: string) => string;
  note?: (totals: UsageTotals) => string;
  /** Compared with the previous period. Shares are compared as text. Null if there is nothing to compare. */
  compare?: (totals: UsageTotals) => number | null;
  /** Set if a single model's value is incomplete: limits on requests are checked before the model is read. */
  noteByModel?: string;
}

const figures: Figure[] = [
  {
    label: 'Requests',
    value: ({ requests }) => formatFigure(requests),
    exactValue: ({ requests }) => formatCount(requests),
    note: ({ requests, failures }) => `${formatFigure(requests - failures)} succeeded`,
    compare: ({ requests }) => requests,
  },
  {
    label: 'Failed requests',
    value: ({ requests, failures }) => formatShare(failures, requests),
    note: ({ failures }) => pluralize(failures, 'request'),
  },
  {
    label: 'Rejected by a limit',
    value: ({ limited }) => formatFigure(limited),
    exactValue: ({ limited }) => formatCount(limited),
    note: () => 'Not counted as requests',
    compare: ({ limited }) => limited,
    noteByModel: 'Mostly not recorded by model',
  },
];

const meterFigure = (meter: Meter): Figure => {
  const { name, title } = meter;
  const note = describeSource(meter);
  return {
    label: title,
    value: (totals) => formatFigure(totals[name]),
    exactValue: (totals) => formatCount(totals[name]),
    ...(note !== undefined && { note: () => note }),
    compare: (totals) => totals[name],
  };
};

const costFigure: Figure = {
  label: 'Cost',
  value: (totals, currency) => formatCostFigure(costOf(totals) ?? 0, currency),
  exactValue: (totals, currency) => formatCost(costOf(totals) ?? 0, currency),
  compare: (totals) => (totals.requests === 0 ? 0 : costOf(totals)),
};

interface UsageTotalsRowProps {
  /** Undefined while loading. */
  usage: UsageInRange | undefined;
  /** Whether it's the usage of a single model. */
  isOfModel: boolean;
}

type UsageInRange = Pick<Usage, 'totals' | 'previousTotals' | 'byModel' | 'currency' | 'length'>;

/** Totals of the whole range compared with the one before, with placeholders while loading. */
export function UsageTotalsRow({ usage, isOfModel }: UsageTotalsRowProps) {
  const hasCost = usage !== undefined && usage.totals.cost !== null;
  const ofMeters = shownMeters.filter((meter) => isShown(meter, usage?.totals)).map(meterFigure);
  const shown = [...figures, ...ofMeters, ...(hasCost ? [costFigure] : [])];
  const rows = Math.ceil(shown.length / maxColumns);
  const columns = Math.ceil(shown.length / rows);
  return (
    <SimpleGrid cols={{ base: 2, md: 3, [hasCost ? 'xl' : 'lg']: columns }} spacing="md" mb="md">
      {shown.map((figure) => (
        <Paper key={figure.label} withBorder p="md" role="group" aria-label={figure.label}>
          <Text size="sm" c="dimmed">
            {figure.label}
          </Text>
          {usage === undefined ? (
            <Skeleton h={28} mt={8} w="60%" />
          ) : isOfModel && figure.noteByModel !== undefined ? (
            <IncompleteValue value={figure.value(usage.totals, usage.currency)} note={figure.noteByModel} />
          ) : (
            <FigureValue figure={figure} usage={usage} />
          )}
        </Paper>
      ))}
    </SimpleGrid>
  );
}

/** Compares a figure with the figure of the previous period, or explains why that isn't possible. */
function compareWithPrevious({ value, compare }: Figure, usage: UsageInRange): string {
  const { totals, previousTotals, currency, length } = usage;
  if (previousTotals === undefined) return "No comparison: older usage isn't kept";
  if (compare !== undefined) {
    const [current, previous] = [compare(totals), compare(previousTotals)];
    if (current !== null && previous !== null) return describeChange(current, previous, length);
    return `No requests with a price in the previous ${length}`;
  }
  return `${previousTotals.requests === 0 ? 'No requests' : value(previousTotals, currency)} in the previous ${length}`;
}

function IncompleteValue({ value, note }: { value: string; note: string }) {
  return (
    <>
      <Value text={value === '0' ? '–' : value} />
      <Text size="xs" c="dimmed">
        {note}
      </Text>
    </>
  );
}

function FigureValue({ figure, usage }: { figure: Figure; usage: UsageInRange }) {
  const { totals, currency, byModel } = usage;
  const { value, exactValue, note } = figure;
  const unpriced = figure === costFigure ? describeUnpriced(totals, byModel) : undefined;
  return (
    <>
      <Value text={value(totals, currency)} title={exactValue?.(totals, currency)} />
      {note !== undefined && (
        <Text size="xs" c="dimmed">
          {note(totals)}
        </Text>
      )}
      {unpriced !== undefined && (
        <Text size="xs" c="dimmed">
          {unpriced}
        </Text>
      )}
      <Text size="xs" c="dimmed">
        {compareWithPrevious(figure, usage)}
      </Text>
    </>
  );
}

/** Long values, such as amounts with decimals, are smaller, so that they fit on one line. */
function Value({ text, title }: { text: string; title?: string | undefined }) {
  return (
    <Text
      fz={{ base: 20, xs: text.length > maxLargeCharacters ? 20 : 26 }}
      fw={600}
      lh={1.3}
      title={title}
      style={{ whiteSpace: 'nowrap' }}
    >
      {text}
    </Text>
  );
}

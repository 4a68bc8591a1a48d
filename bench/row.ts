/** One row of the results. */
export interface Row {
  what: string;
  measured: string;
  /** The alternative and its figure. */
  against: string;
  ratio: string;
  target: string;
  /** Undefined without a target. */
  isMet: boolean | undefined;
  /** What is compared, in one sentence. */
  explanation: string;
}

const formats = {
  'requests/s': 0,
  'lookups/s': 0,
  'decisions/s': 0,
  'verifications/s': 0,
  'texts/s': 0,
  'pages/min': 1,
  ms: 1,
  µs: 0,
  s: 2,
  requests: 0,
  kB: 0,
  MB: 0,
  'tokens and pages': 0,
} as const;

/** Formats a quantity, such as `21,800 requests/s`. */
export function quantity(value: number, unit: keyof typeof formats): string {
  const digits = formats[unit];
  const number = value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${number} ${unit}`;
}

type Comparison = Pick<Row, 'what' | 'measured' | 'against' | 'explanation'>;

/** Target of a ratio; undefined if there is none. */
type RatioTarget = { min: number } | { max: number } | undefined;

export function ratioRow(comparison: Comparison, ratio: number, target: RatioTarget): Row {
  return { ...comparison, ratio: ratio.toFixed(2), ...judge(ratio, target) };
}

function judge(ratio: number, target: RatioTarget): Pick<Row, 'target' | 'isMet'> {
  if (target === undefined) return { target: '', isMet: undefined };
  if ('min' in target) return { target: `≥ ${target.min}`, isMet: ratio >= target.min };
  return { target: `≤ ${target.max}`, isMet: ratio <= target.max };
}

/** A row whose value must not exceed the limit. */
export function valueRow(
  { what, explanation }: Pick<Row, 'what' | 'explanation'>,
  value: number,
  limit: number,
  unit: keyof typeof formats,
): Row {
  const target = `≤ ${limit} ${unit}`;
  return { what, measured: quantity(value, unit), against: '', ratio: '', target, isMet: value <= limit, explanation };
}

/** A row with a figure that is neither compared nor judged. */
export function figureRow(
  { what, explanation }: Pick<Row, 'what' | 'explanation'>,
  value: number,
  unit: keyof typeof formats,
): Row {
  return { what, measured: quantity(value, unit), against: '', ratio: '', target: '', isMet: undefined, explanation };
}

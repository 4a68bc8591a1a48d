/** One line of the result. */
export interface Row {
  what: string;
  measured: string;
  /** What it is compared with, and what that reached. */
  against: string;
  ratio: string;
  target: string;
  /** Undefined where no target is set. */
  isMet: boolean | undefined;
  /** One sentence: what is compared with what. */
  explanation: string;
}

const formats = {
  'requests/s': 0,
  'look-ups/s': 0,
  'texts/s': 0,
  'pages/min': 1,
  ms: 1,
  s: 2,
  MB: 0,
} as const;

/** Such as `21,800 requests/s`. */
export function quantity(value: number, unit: keyof typeof formats): string {
  const digits = formats[unit];
  const number = value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${number} ${unit}`;
}

type Comparison = Pick<Row, 'what' | 'measured' | 'against' | 'explanation'>;

/** What a ratio shall be; undefined where that is not set. */
type RatioTarget = { least: number } | { most: number } | undefined;

export function ratioRow(comparison: Comparison, ratio: number, target: RatioTarget): Row {
  return { ...comparison, ratio: ratio.toFixed(2), ...judge(ratio, target) };
}

function judge(ratio: number, target: RatioTarget): Pick<Row, 'target' | 'isMet'> {
  if (target === undefined) return { target: '', isMet: undefined };
  if ('least' in target) return { target: `≥ ${target.least}`, isMet: ratio >= target.least };
  return { target: `≤ ${target.most}`, isMet: ratio <= target.most };
}

/** A row whose value shall be at most the target. */
export function valueRow(
  { what, explanation }: Pick<Row, 'what' | 'explanation'>,
  value: number,
  limit: number,
  unit: keyof typeof formats,
): Row {
  const target = `≤ ${limit} ${unit}`;
  return { what, measured: quantity(value, unit), against: '', ratio: '', target, isMet: value <= limit, explanation };
}

/** The longest that the service allows: 7 days. */
const longestSeconds = 604_800;

/** The units of a period of one's own, in seconds. */
const unitSeconds = new Map([
  ['minutes', 60],
  ['hours', 3600],
  ['days', 86_400],
]);

/** The units in which a period of one's own can be given. */
export const graceUnits = [...unitSeconds.keys()];

/** What is offered for how long the present key goes on, in seconds. */
export const graceChoices = [
  { value: '0', label: 'No time: stop it now' },
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '1 day' },
  { value: '604800', label: '7 days' },
  { value: 'custom', label: 'As long as you choose' },
];

/** For how long the present key goes on, as a form holds it. */
export interface GracePeriod {
  /** A number of seconds, or `custom`. */
  choice: string;
  /** For `custom`; a text while it is being typed. */
  amount: number | string;
  unit: string;
}

/** How long the present key goes on, in whole seconds. */
export function graceSeconds({ choice, amount, unit }: GracePeriod): number {
  return choice === 'custom' ? Math.round(Number(amount) * (unitSeconds.get(unit) ?? NaN)) : Number(choice);
}

/** Why the service would refuse the period; `undefined` for a good one. */
export function checkGracePeriod(period: GracePeriod): string | undefined {
  if (period.choice !== 'custom') return undefined;
  const seconds = graceSeconds(period);
  if (!(seconds > 0)) return 'Enter how long.';
  return seconds > longestSeconds ? 'Use at most 7 days.' : undefined;
}

/** Until when the present key is accepted, once it is replaced; `undefined` when it stops at once. */
export function graceEnd(seconds: number, { now, expiresAt }: { now: number; expiresAt?: string }): string | undefined {
  if (seconds === 0) return undefined;
  const end = now + seconds * 1000;
  return new Date(Math.min(end, expiresAt === undefined ? end : Date.parse(expiresAt))).toISOString();
}

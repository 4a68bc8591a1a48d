/** The service's limit: 7 days. */
const maxSeconds = 604_800;

const unitSeconds = new Map([
  ['minutes', 60],
  ['hours', 3600],
  ['days', 86_400],
]);

/** Units of a custom period. */
export const graceUnits = [...unitSeconds.keys()];

/** The choice of no grace period. */
export const immediately = '0';

/** Options of the grace period, in seconds. */
export const graceChoices = [
  { value: immediately, label: 'Immediately' },
  { value: '3600', label: 'In 1 hour' },
  { value: '86400', label: 'In 1 day' },
  { value: '604800', label: 'In 7 days' },
  { value: 'custom', label: 'After a custom period' },
];

/** A leaked current secret: `rejected`, and then revoked by a rotation without a grace period, or still `accepted`. */
export type LeakedSecret = 'rejected' | 'accepted';

/** How long the current secret keeps working after a rotation, as form values. */
export interface GracePeriod {
  /** Seconds, or `custom`. */
  choice: string;
  /** Only for `custom`; a string while the user types. */
  amount: number | string;
  unit: string;
}

/** Converts a grace period to whole seconds. */
export function toSeconds({ choice, amount, unit }: GracePeriod): number {
  return choice === 'custom' ? Math.round(Number(amount) * (unitSeconds.get(unit) ?? NaN)) : Number(choice);
}

/** Returns an error message, or `undefined` if the period is valid. */
export function checkGracePeriod(period: GracePeriod): string | undefined {
  if (period.choice !== 'custom') return undefined;
  const seconds = toSeconds(period);
  if (!(seconds > 0)) return 'Enter a duration.';
  return seconds > maxSeconds ? 'Use at most 7 days.' : undefined;
}

/** Returns when the current secret stops working, or `undefined` if that is immediately. */
export function getGraceEnd(
  seconds: number,
  { now, expiresAt }: { now: number; expiresAt?: string },
): string | undefined {
  if (seconds === 0) return undefined;
  const end = now + seconds * 1000;
  return new Date(Math.min(end, expiresAt === undefined ? end : Date.parse(expiresAt))).toISOString();
}

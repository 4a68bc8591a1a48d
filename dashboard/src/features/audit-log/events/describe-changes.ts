import type { AuditEvent } from '../../../api/schema.js';
import { pluralize, formatCount } from '../../../lib/format-numbers.js';
import { exactTime } from '../../../lib/format-time.js';
import { describeFully, isLimit } from '../../../common/limits/describe-limit.js';

/** The old and new value of a field, in words. */
export interface Change {
  field: string;
  /** For a list, the removed items. */
  before: string[];
  /** For a list, the added items. */
  after: string[];
}

const second = { unit: 'second', seconds: 1 };
const units = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3600 },
  { unit: 'minute', seconds: 60 },
  second,
];

/** What null means; by default, "None". */
const meaningOfNull: Record<string, string> = {
  models: 'All',
  addresses: 'All',
  expiresAt: 'Never',
  longestKeyLifetimeDays: 'No limit',
  previousSecretHint: 'Revoked',
  previousSecretExpiresAt: 'Revoked',
};

const onLeakNames: Partial<Record<string, string>> = { notify: 'Notify only', disable: 'Disable', delete: 'Delete' };

/**
 * Describes what an event changed, field by field.
 *
 * @param currency of costs, if it's known
 */
export function describeChanges(
  { target, before, after }: Pick<AuditEvent, 'target' | 'before' | 'after'>,
  currency?: string,
): Change[] {
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...fields].map((field) => {
    const oldValues = formatValues(field, before?.[field], currency);
    const newValues = formatValues(field, after?.[field], currency);
    return {
      field: nameField(field, target.kind),
      before: oldValues.filter((value) => !newValues.includes(value)),
      after: newValues.filter((value) => !oldValues.includes(value)),
    };
  });
}

/** Audit events call the secrets of keys and of service accounts alike. */
function nameField(field: string, kind: AuditEvent['target']['kind']): string {
  const secret = kind === 'api-key' ? 'Secret' : 'Client secret';
  if (field === 'hint') return secret;
  if (field === 'onLeak') return 'Leaked keys';
  if (field === 'addresses') return 'IP addresses';
  if (field === 'previousSecretHint') return `Previous ${secret.toLowerCase()}`;
  return field === 'previousSecretExpiresAt' ? `Previous ${secret.toLowerCase()} expires at` : formatFieldName(field);
}

/** Turns `longestKeyLifetimeDays` into "Longest key lifetime". */
function formatFieldName(field: string): string {
  const words = field.replace(/(Seconds|Days)$/, '').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function formatValues(field: string, value: unknown, currency: string | undefined): string[] {
  if (value === undefined) return [];
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.map((item) => (isLimit(item) ? describeFully(item, currency) : formatValue(field, item)));
}

function formatValue(field: string, value: unknown): string {
  if (value === null) return meaningOfNull[field] ?? 'None';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number' && field.endsWith('Seconds')) return formatDuration(value);
  if (typeof value === 'number' && field.endsWith('Days')) return formatDuration(value * 86_400);
  if (typeof value === 'number') return formatCount(value);
  if (typeof value !== 'string') return JSON.stringify(value);
  if (field === 'onLeak') return onLeakNames[value] ?? value;
  if (field === 'hint' || field === 'previousSecretHint') return `${value}…`;
  return field.endsWith('At') && !Number.isNaN(Date.parse(value)) ? exactTime(value) : value;
}

/** Uses the largest unit that gives a whole number. */
function formatDuration(seconds: number): string {
  if (seconds === 0) return 'None';
  const { unit, seconds: length } = units.find((candidate) => seconds % candidate.seconds === 0) ?? second;
  return pluralize(seconds / length, unit);
}

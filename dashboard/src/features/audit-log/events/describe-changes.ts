import type { AuditEvent } from '../../../api/schema.js';
import { formatCount, pluralize } from '../../../lib/format-numbers.js';
import { exactTime } from '../../../lib/format-time.js';

/** What became of one field. */
export interface Change {
  field: string;
  /** What is no longer so; of a list, what was taken away. */
  before: string[];
  /** What is so from then on; of a list, what was added. */
  after: string[];
}

const wholeSecond = { unit: 'second', seconds: 1 };
const units = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3600 },
  { unit: 'minute', seconds: 60 },
  wholeSecond,
];

/** What an event has changed, field by field, in words. */
export function describeChanges({ before, after }: Pick<AuditEvent, 'before' | 'after'>): Change[] {
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...fields].map((field) => {
    const was = listValues(field, before?.[field]);
    const is = listValues(field, after?.[field]);
    return {
      field: nameField(field),
      before: was.filter((value) => !is.includes(value)),
      after: is.filter((value) => !was.includes(value)),
    };
  });
}

/** `longestKeyLifetimeDays` is called "Longest key lifetime". */
function nameField(field: string): string {
  if (field === 'hint') return 'Key';
  const words = field.replace(/(Seconds|Days)$/, '').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function listValues(field: string, value: unknown): string[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value.map((item: unknown) => nameValue(field, item)) : [nameValue(field, value)];
}

function nameValue(field: string, value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number' && field.endsWith('Seconds')) return nameDuration(value);
  if (typeof value === 'number' && field.endsWith('Days')) return nameDuration(value * 86_400);
  if (typeof value === 'number') return formatCount(value);
  if (typeof value !== 'string') return JSON.stringify(value);
  if (field === 'hint') return `${value}…`;
  return field.endsWith('At') && !Number.isNaN(Date.parse(value)) ? exactTime(value) : value;
}

/** In the largest unit that needs no fraction. */
function nameDuration(seconds: number): string {
  if (seconds === 0) return 'None';
  const { unit, seconds: length } = units.find((candidate) => seconds % candidate.seconds === 0) ?? wholeSecond;
  return pluralize(seconds / length, unit);
}

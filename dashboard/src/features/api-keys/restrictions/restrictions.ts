import { isTag, maxTagLength, maxTags, normalizeTag } from '@rules/tag-rules.js';
import { countCodePoints, isPrintable, maxNoteLength } from '@rules/text-rules.js';
import type { ApiKeyDetails, UpdateApiKey } from '../../../api/schema.js';
import { limitRules } from '../../../common/limits/check-limits.js';
import { changedLimits, type LimitValues, toRows } from '../../../common/limits/limit-rows.js';

/** How much, where and for what a key may be used, as entered in a form. Empty lists mean no restriction. */
export interface RestrictionValues extends LimitValues {
  models: string[];
  addresses: string[];
  note: string;
  tags: string[];
}

type Restrictions = Pick<UpdateApiKey, 'limits' | 'models' | 'addresses' | 'note' | 'tags'>;

export const noRestrictions: RestrictionValues = { limits: [], models: [], addresses: [], note: '', tags: [] };

/**
 * What a form shows of a key.
 *
 * @param currency of costs
 */
export function restrictionsOf(
  { limits, models, addresses, note, tags }: ApiKeyDetails,
  currency: string | undefined,
): RestrictionValues {
  return {
    limits: toRows(limits, currency),
    models: models ?? [],
    addresses: addresses ?? [],
    note: note ?? '',
    tags,
  };
}

/**
 * Returns the fields that differ from the initial values, as the API expects them. A list that stays empty is left out:
 * the key may allow no model at all.
 */
export function changedRestrictions(values: RestrictionValues, initial: RestrictionValues): Restrictions {
  const toNullable = (list: string[]) => (list.length === 0 ? null : list);
  const note = values.note.trim();
  const limits = changedLimits(values.limits, initial.limits);
  return {
    ...(limits && { limits }),
    ...(isChanged(values.models, initial.models) && { models: toNullable(values.models) }),
    ...(isChanged(values.addresses, initial.addresses) && { addresses: toNullable(values.addresses) }),
    ...(note !== initial.note && { note: note === '' ? null : note }),
    ...(isChanged(values.tags, initial.tags) && { tags: values.tags }),
  };
}

/** Validates limits and restrictions in a form. */
export const restrictionRules = { limits: limitRules, addresses: checkAddresses, note: checkNote, tags: checkTags };

/** The fields that are checked while the user types. */
export const checkedOnChange = ['addresses', 'note', 'tags'];

function isChanged(list: string[], initial: string[]): boolean {
  return list.length !== initial.length || list.some((item, index) => item !== initial[index]);
}

/** Splits lists entered as one text, as autofill and on-screen keyboards do, and removes duplicates. */
export function splitAddresses(texts: string[]): string[] {
  return [...new Set(texts.flatMap((text) => text.split(/[\s,;]+/)))].filter((address) => address !== '');
}

/** Checks IP addresses and CIDR ranges while the user enters them. Returns a message that names the first invalid one. */
export function checkAddresses(addresses: string[]): string | undefined {
  const invalid = addresses.find((address) => !isAddressRange(address));
  return invalid && `${invalid} is not an IP address or range, such as 203.0.113.7 or 2001:db8::/32.`;
}

/** Normalizes tags while the user enters them, and removes duplicates. */
export function toTags(texts: string[]): string[] {
  return [...new Set(texts.flatMap((text) => text.split(',')).map(normalizeTag))].filter((tag) => tag !== '');
}

/** Checks tags while the user enters them. */
export function checkTags(tags: string[]): string | undefined {
  if (tags.length > maxTags) return `Use at most ${maxTags} tags.`;
  const invalid = tags.find((tag) => !isTag(tag));
  if (invalid === undefined) return undefined;
  return countCodePoints(invalid) > maxTagLength
    ? `Use at most ${maxTagLength} characters for a tag.`
    : `Remove invisible characters from ${invalid}.`;
}

/** Checks a note while the user types. */
export function checkNote(note: string): string | undefined {
  const trimmed = note.trim();
  if (!isPrintable(trimmed)) return 'Remove tabs and control characters.';
  return countCodePoints(trimmed) > maxNoteLength ? `Use at most ${maxNoteLength} characters.` : undefined;
}

const decimalPart = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const ipv4 = new RegExp(`^${decimalPart}(\\.${decimalPart}){3}$`);

function isAddressRange(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const isIpv4 = ipv4.test(address);
  const isIpv6 = /^[\da-f:.]+$/i.test(address) && URL.canParse(`http://[${address}]/`);
  const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (isIpv4 ? 32 : 128));
  return rest.length === 0 && (isIpv4 || isIpv6) && isPrefix;
}

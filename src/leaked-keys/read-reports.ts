import { AppError, type FieldError, invalidFields } from '../common/errors/app-error.js';
import { maxLeakTextLength, maxLeakUrlLength } from '../common/rules/leak-rules.js';
import { isVisible } from '../common/rules/text-rules.js';
import { redactSecrets, redactUrl } from './redact-secrets.js';

/** GitHub sends several matches at a time. */
export const maxReports = 1000;
/** Far above the length of a key, so that other matches get a label instead of an error. */
export const maxTokenLength = 500;
export const defaultTokenType = 'keycard_api_key';

const maxErrors = 10;

/** A secret that was found somewhere. */
export interface LeakReportEntry {
  token: string;
  /** As the reporter calls the kind of secret. */
  type: string;
  /** Where it was found, without secrets; null if unknown. */
  url: string | null;
  /** Kind of place, such as `commit`, without secrets; null if unknown. */
  source: string | null;
}

/**
 * Reads a body of GitHub's secret scanning. Unknown fields are ignored, because GitHub may add some.
 *
 * @throws AppError 400 that names the invalid fields, never with their values
 */
export function readReports(body: unknown): LeakReportEntry[] {
  if (!Array.isArray(body) || body.length > maxReports) {
    throw new AppError('validation-failed', `The body must be an array of at most ${maxReports} reports.`);
  }
  const errors: FieldError[] = [];
  const entries = body.map((entry: unknown, index) => {
    const fail = (field: string, rule: string) => {
      if (errors.length < maxErrors) errors.push({ field, message: `${field} ${rule}` });
      return null;
    };
    return readEntry(entry, index, fail);
  });
  if (errors.length > 0) throw invalidFields(errors);
  return entries.filter((entry) => entry !== null);
}

function readEntry(entry: unknown, index: number, fail: (field: string, rule: string) => null): LeakReportEntry | null {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
    return fail(`${index}`, 'must be an object with a token.');
  }
  const { token, url, source, type } = entry as Partial<Record<string, unknown>>;
  const read = (name: string, value: unknown, maxLength: number) => {
    if (value === undefined || value === null || value === '') return null;
    if (typeof value === 'string' && value.length <= maxLength && isVisible(value)) return value;
    return fail(`${index}.${name}`, `must be a text of at most ${maxLength} characters, without invisible characters.`);
  };
  if (typeof token !== 'string' || token.length > maxTokenLength) {
    return fail(`${index}.token`, `must be a text of at most ${maxTokenLength} characters.`);
  }
  const place = read('url', url, maxLeakUrlLength);
  if (place !== null && !isWebUrl(place))
    return fail(`${index}.url`, `must be an http or https URL of at most ${maxLeakUrlLength} characters, or empty.`);
  const kind = read('source', source, maxLeakTextLength);
  return {
    token,
    type: read('type', type, maxLeakTextLength) ?? defaultTokenType,
    url: place && redactUrl(place),
    source: kind && redactSecrets(kind),
  };
}

function isWebUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, href } = new URL(text);
  return /^https?:$/.test(protocol) && href.length <= maxLeakUrlLength;
}

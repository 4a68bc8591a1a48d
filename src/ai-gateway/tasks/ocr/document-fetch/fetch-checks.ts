import type { Dispatcher } from 'undici';
import { AppError } from '../../../../common/errors/app-error.js';
import { invalidDocument } from '../ocr-request.js';

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Types that servers use for PDFs, images and unknown files. The content decides in the end. */
const documentType =
  /^(application\/(pdf|x-pdf|octet-stream|binary|x-download|force-download)|binary\/octet-stream|image\/[\w.+-]+)$/;

/**
 * Checks the URL of a document, except for its IP address, which is checked when connecting.
 *
 * @throws AppError 400
 */
export function checkUrl(url: URL): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw invalidDocument('The URL of a document must begin with https:// or http://, even after a redirect.');
  }
  if (url.username !== '' || url.password !== '') {
    throw invalidDocument('The URL of a document must not contain a user name or password.');
  }
  // Ports below 1024 belong to services that serve no documents, such as mail.
  if (url.port !== '' && Number(url.port) < 1024 && !['80', '443'].includes(url.port)) {
    throw invalidDocument('The URL of a document must use port 80, 443, or 1024 or higher.');
  }
}

/**
 * The URL that a response redirects to; undefined if it's no redirect.
 *
 * @throws AppError 400
 */
export function redirectTarget({ statusCode, headers }: Dispatcher.ResponseData, from: URL): URL | undefined {
  const location = headers['location'];
  if (!redirectStatuses.has(statusCode) || typeof location !== 'string') return undefined;
  if (!URL.canParse(location, from.href)) throw fetchFailed('its server redirects to an invalid URL');
  const target = new URL(location, from);
  if (from.protocol === 'https:' && target.protocol === 'http:') {
    throw fetchFailed('its server redirects from https:// to http://');
  }
  return target;
}

/**
 * Checks by status and headers whether a response may be a document.
 *
 * @throws AppError 400
 */
export function checkResponse({ statusCode, headers }: Dispatcher.ResponseData): void {
  if (statusCode !== 200) throw fetchFailed(`its server responded with status ${statusCode}`);
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') throw fetchFailed('its server compressed it, although not asked to');
  const type =
    String(headers['content-type'] ?? 'application/octet-stream')
      .split(';', 1)[0]
      ?.trim()
      .toLowerCase() ?? '';
  if (documentType.test(type)) return;
  const named = /^[\w.+/-]{1,100}$/.test(type) ? type : 'another type';
  throw fetchFailed(`its server sent ${named} rather than a PDF or an image`);
}

/** A 400 that gives the reason. */
export const fetchFailed = (reason: string): AppError =>
  invalidDocument(`The document could not be fetched: ${reason}.`);

/** Identical for a name without addresses, a forbidden address and a silent server, to reveal nothing of the network. */
export const unreachable = (cause: unknown): AppError => {
  const message = 'The document could not be fetched: its server does not respond, or has no public IP address.';
  return new AppError('validation-failed', message, { fields: [{ field: 'document', message }], cause });
};

export const timedOut = (timeoutSeconds: number): AppError =>
  invalidDocument(`The document could not be fetched within ${timeoutSeconds} s.`);

export const cutOff = (cause: unknown): AppError => {
  const message = 'The document could not be fetched: its server ended the response too early.';
  return new AppError('validation-failed', message, { fields: [{ field: 'document', message }], cause });
};

/** Servers may be slow: the fetches of one organization must not use up the connections of the others. */
export const tooManyFetches = (limit: number): AppError => {
  const detail = `Your organization is already fetching ${limit} documents. Retry later, or send the document itself.`;
  return new AppError('too-many-requests', detail, { headers: { 'retry-after': '1' } });
};

import type { Dispatcher } from 'undici';
import { invalidDocument } from '../document-field.js';
import { refused } from './fetch-failures.js';

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** What servers call PDFs, images, and files that they know nothing of; the content decides in the end. */
const documentType =
  /^(application\/(pdf|x-pdf|octet-stream|binary|x-download|force-download)|binary\/octet-stream|image\/[\w.+-]+)$/;

/**
 * Whether a document may be fetched from there, apart from the address, which is checked when it is connected to.
 *
 * @throws AppError 400
 */
export function checkUrl(url: URL): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw invalidDocument('The URL of a document must begin with https:// or http://, also after a redirect.');
  }
  if (url.username !== '' || url.password !== '') {
    throw invalidDocument('The URL of a document must not hold a user name or password.');
  }
  // Below 1024 are the services that no document lies on, such as mail.
  if (url.port !== '' && Number(url.port) < 1024 && !['80', '443'].includes(url.port)) {
    throw invalidDocument('The URL of a document must have the port 80, 443 or one from 1024 on.');
  }
}

/**
 * Where an answer redirects to; undefined when it does not.
 *
 * @throws AppError 400
 */
export function redirectTarget({ statusCode, headers }: Dispatcher.ResponseData, from: URL): URL | undefined {
  const location = headers['location'];
  if (!redirectStatuses.has(statusCode) || typeof location !== 'string') return undefined;
  if (!URL.canParse(location, from.href)) throw refused('its server redirects to what is not a URL');
  const target = new URL(location, from);
  if (from.protocol === 'https:' && target.protocol === 'http:') {
    throw refused('its server redirects from https:// to http://');
  }
  return target;
}

/**
 * Whether an answer may be a document, as far as its head tells.
 *
 * @throws AppError 400
 */
export function checkResponse({ statusCode, headers }: Dispatcher.ResponseData): void {
  if (statusCode !== 200) throw refused(`its server answered with status ${statusCode}`);
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') throw refused('its server sent it compressed, though asked not to');
  const type =
    String(headers['content-type'] ?? 'application/octet-stream')
      .split(';', 1)[0]
      ?.trim()
      .toLowerCase() ?? '';
  if (documentType.test(type)) return;
  const named = /^[\w.+/-]{1,100}$/.test(type) ? type : 'another type';
  throw refused(`its server sent ${named} rather than a PDF or an image`);
}

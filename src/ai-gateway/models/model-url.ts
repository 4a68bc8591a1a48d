const prefix = '/v1/models/';

/**
 * The URL of a model with its name as one segment of the path. Names such as `org/name` hold slashes, which some
 * clients send as they are and others as `%2F`; the router takes the second form.
 */
export function withModelAsOneSegment(url: string): string {
  if (!url.startsWith(prefix)) return url;
  const end = url.indexOf('?');
  const name = url.slice(prefix.length, end === -1 ? undefined : end);
  return prefix + name.replaceAll('/', '%2F') + (end === -1 ? '' : url.slice(end));
}

import type { ApiKeyDetails } from '../../../api/schema.js';

type Holder = ApiKeyDetails['knownToFormerMembers'][number];

/** Names who knows a secret and shouldn't any more, such as "Grace Hopper, who is no longer a member,". */
export function nameHolder({ kind, name }: Pick<Holder, 'kind' | 'name'>): string {
  if (kind === 'user') return name === null ? 'A former member' : `${name}, who is no longer a member,`;
  return name === null ? 'A deleted service account' : `The deleted service account ${name}`;
}

/** Who knows a secret of a key and shouldn't any more; undefined if no one is known to. */
export function findHolder(
  apiKey: Pick<ApiKeyDetails, 'knownToFormerMembers'> | undefined,
  secret: Holder['secret'],
): Holder | undefined {
  return apiKey?.knownToFormerMembers.find((holder) => holder.secret === secret);
}

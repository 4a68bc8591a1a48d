import { nameSome } from '../../../common/limits/warn-of-limit.js';

interface Rotation {
  /** How many keys are rotated. */
  count: number;
  /** How many of them have a leaked secret, which gets no grace period. */
  leakedCount: number;
  /** Whether the other secrets get no grace period either. */
  isImmediate: boolean;
}

/** What happens to the current secrets of keys that are rotated. */
export function describeRotation({ count, leakedCount, isImmediate }: Rotation): string {
  const secrets = leakedCount === 0 ? 'current secrets' : 'other secrets';
  const leaked =
    leakedCount === 1
      ? 'The leaked secret of 1 key is revoked immediately.'
      : `The leaked secrets of ${leakedCount} keys are revoked immediately.`;
  const others = isImmediate
    ? `Anything using the ${secrets} will stop working immediately.`
    : `The ${secrets} keep working until they're revoked, so you can replace them without downtime.`;
  return [...(leakedCount === 0 ? [] : [leaked]), ...(leakedCount === count ? [] : [others])].join(' ');
}

/** What happens to secrets from before an earlier rotation, which may only be one. Empty without any. */
export function describePreviousSecrets(names: readonly string[]): string {
  if (names.length === 0) return '';
  const [secrets, are] = names.length === 1 ? ['secret', 'is'] : ['secrets', 'are'];
  return `The previous ${secrets} of ${nameSome(names)} ${are} revoked immediately.`;
}

/** Warns of keys whose current secret former members know. */
export function describeKnownKeys(known: number, count: number): string {
  const all = count === 1 ? 'this key' : 'these keys';
  const [keys, secrets] = [known === count ? all : `${known} of ${all}`, known === 1 ? 'secret is' : 'secrets are'];
  return `Removed members or deleted service accounts can use ${keys} until the current ${secrets} revoked.`;
}

/** Advises against rotating keys again if former members know only their previous secrets. */
export function describeOnlyPreviousKnown(names: readonly string[]): string {
  const [secrets, them] = names.length === 1 ? ['secret', 'it'] : ['secrets', 'them'];
  return (
    `Removed members or deleted service accounts know only the previous ${secrets} of ${nameSome(names)}. ` +
    `Revoking ${them} is enough. Anything still using ${them} will stop working immediately.`
  );
}

/** Says that previous secrets were revoked. */
export function describeRevoked(names: readonly string[]): string {
  const [secrets, them] = names.length === 1 ? ['secret', 'it'] : ['secrets', 'them'];
  return `Previous ${secrets} of ${nameSome(names)} revoked. Requests using ${them} are now rejected.`;
}

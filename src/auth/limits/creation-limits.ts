import type { Principal } from '../../access/principal.js';
import type { ServiceConfig } from '../../config/service-config.js';

/** Automation creates more than people do. */
const serviceAccountFactor = 10;

/** The limits that one request to create something counts for, with their maximum and the error that names them. */
const creationLimits = {
  'creation by user': {
    attemptsOf: ({ creationLimitPerUser }: ServiceConfig) => creationLimitPerUser,
    describe: (attempts: string) => `This user's limit of ${attempts} creations per 15 minutes is exhausted.`,
  },
  'creation by organization': {
    attemptsOf: ({ creationLimitPerOrganization }: ServiceConfig) => creationLimitPerOrganization,
    describe: (attempts: string) =>
      `This organization's limit of ${attempts} creations by members per 15 minutes is exhausted.`,
  },
  'creation by service account': {
    attemptsOf: ({ creationLimitPerUser }: ServiceConfig) => serviceAccountFactor * creationLimitPerUser,
    describe: (attempts: string) =>
      `This service account's limit of ${attempts} creations per 15 minutes is exhausted.`,
  },
  'creation by service accounts': {
    attemptsOf: ({ creationLimitPerOrganization }: ServiceConfig) =>
      serviceAccountFactor * creationLimitPerOrganization,
    describe: (attempts: string) =>
      `This organization's limit of ${attempts} creations by service accounts per 15 minutes is exhausted.`,
  },
};

type CreationLimit = keyof typeof creationLimits;

/** The maximum that settings give a limit; undefined if they don't. */
export function configuredAttempts(limit: string, config: ServiceConfig): number | undefined {
  return isCreationLimit(limit) ? creationLimits[limit].attemptsOf(config) : undefined;
}

/** Names a limit that a well-behaved client can reach; others only say that there were too many requests. */
export function describeLimit(limit: string, attempts: number): string {
  if (!isCreationLimit(limit)) return 'Too many requests.';
  return creationLimits[limit].describe(attempts.toLocaleString('en-US'));
}

/**
 * The limits of a principal's requests to create something. Service accounts have their own: the members' limits must not
 * hold them back, nor the other way round.
 */
export function creationLimitsOf({ kind, id, organizationId }: Principal): [limit: CreationLimit, key: string][] {
  return kind === 'service-account'
    ? [
        ['creation by service account', id],
        ['creation by service accounts', organizationId],
      ]
    : [
        ['creation by user', id],
        ['creation by organization', organizationId],
      ];
}

function isCreationLimit(limit: string): limit is CreationLimit {
  return limit in creationLimits;
}

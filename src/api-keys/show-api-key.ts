import type { LimitStateDto } from '../limits/dto/limit.dto.js';
import { toShownLimit } from '../limits/stored-limits.js';
import type { ApiKey } from './api-key.entity.js';
import type { ApiKeyDetailsDto } from './dto/api-key-details.dto.js';
import type { ListedApiKeyDto } from './dto/api-key-list.dto.js';
import type { ApiKeyDto } from './dto/api-key.dto.js';
import type { FormerHolderDto } from './dto/former-holder.dto.js';
import type { LeakReporterDto } from './dto/leak-reporter.dto.js';

/** A key as in lists. The creator is included if it was read. */
export function toDto(key: ApiKey): ApiKeyDto {
  const { tags, enabled, createdBy, previousSecretExpiresAt } = key;
  return {
    ...commonFields(key),
    ...(isAccepted(previousSecretExpiresAt) && { previousSecretExpiresAt: previousSecretExpiresAt.toISOString() }),
    ...(tags.length > 0 && { tags }),
    ...(!enabled && { enabled }),
    ...(createdBy && { createdBy: toCreatorDto(createdBy) }),
    ...creatingAccountOf(key),
  };
}

/** A key as in lists, with its limits. Their state would take a statement of its own. */
export function toDtoWithLimits(key: ApiKey): ListedApiKeyDto {
  return { ...toDto(key), limits: (key.limits ?? []).map(toShownLimit) };
}

/**
 * A key with its creator and restrictions.
 *
 * @param key from `findApiKey`
 */
export function toDetailsDto(
  key: ApiKey,
  limits: LimitStateDto[],
  knownToFormerMembers: FormerHolderDto[],
  reportedBy: LeakReporterDto | undefined,
): ApiKeyDetailsDto {
  const {
    createdBy,
    tags,
    lastUsedAddress,
    previousSecretExpiresAt,
    previousSecretHint,
    previousSecretLastUsedAt,
    rotatedAt,
    deleteWhenExpired,
    enabled,
    models,
    addresses,
    note,
    leakedAt,
    leakedUrl: url,
    leakedSource: source,
    leakedSecret: secret,
  } = key;
  return {
    ...commonFields(key),
    tags,
    createdBy: createdBy && toCreatorDto(createdBy),
    ...creatingAccountOf(key),
    ...(lastUsedAddress !== null && { lastUsedAddress }),
    rotatedAt: rotatedAt && rotatedAt.toISOString(),
    previousSecretHint,
    ...(previousSecretExpiresAt && {
      previousSecretExpiresAt: previousSecretExpiresAt.toISOString(),
      previousSecretLastUsedAt: previousSecretLastUsedAt && previousSecretLastUsedAt.toISOString(),
    }),
    deleteWhenExpired,
    enabled,
    models,
    addresses,
    limits,
    note,
    knownToFormerMembers,
    ...(leakedAt && {
      leak: { reportedAt: leakedAt.toISOString(), url, source, secret, ...(reportedBy && { reportedBy }) },
    }),
  };
}

const toCreatorDto = ({ id, name, email }: NonNullable<ApiKey['createdBy']>) => ({ id, name, email });

/** The service account that created a key, if one did. Undefined, like the user, if they weren't read. */
function creatingAccountOf({ createdByServiceAccount: account }: Partial<Pick<ApiKey, 'createdByServiceAccount'>>) {
  return account ? { createdByServiceAccount: { id: account.id, name: account.name } } : {};
}

function commonFields(key: ApiKey) {
  const { id, name, hint, createdAt, updatedAt, expiresAt, lastUsedAt, leakedAt } = key;
  return {
    id,
    name,
    hint,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    ...(expiresAt !== null && { expiresAt: expiresAt.toISOString() }),
    ...(lastUsedAt !== null && { lastUsedAt: lastUsedAt.toISOString() }),
    ...(leakedAt !== null && hasLeakedSecret(key) && { leakedAt: leakedAt.toISOString() }),
  };
}

/** Whether a leaked secret wasn't revoked. It may be rejected for now, because the key is disabled. */
function hasLeakedSecret({ leakedSecret, previousSecretExpiresAt }: ApiKey): boolean {
  return leakedSecret === 'current' || isAccepted(previousSecretExpiresAt);
}

const isAccepted = (expiresAt: Date | null): expiresAt is Date => expiresAt !== null && expiresAt > new Date();

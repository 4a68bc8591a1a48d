import type { ApiKey } from './api-key.entity.js';
import type { ApiKeyDetailsDto } from './dto/api-key-details.dto.js';
import type { ApiKeyDto } from './dto/api-key.dto.js';

/** A key as it is listed; what it does not have, such as an expiry, is left out. */
export function toApiKeyDto(key: ApiKey): ApiKeyDto {
  const { lastUsedAt } = key;
  return { ...commonFields(key), ...(lastUsedAt !== null && { lastUsedAt: lastUsedAt.toISOString() }) };
}

/** A key as it is shown alone; its creator has to be loaded with it. */
export function toApiKeyDetailsDto(key: ApiKey): ApiKeyDetailsDto {
  const { createdBy, lastUsedAt } = key;
  return {
    ...commonFields(key),
    createdBy: createdBy && { id: createdBy.id, name: createdBy.name, email: createdBy.email },
    lastUsedAt: lastUsedAt && lastUsedAt.toISOString(),
  };
}

function commonFields({ id, name, hint, createdAt, updatedAt, expiresAt }: ApiKey) {
  return {
    id,
    name,
    hint,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    ...(expiresAt !== null && { expiresAt: expiresAt.toISOString() }),
  };
}

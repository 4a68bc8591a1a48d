import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { Strategy } from 'passport-custom';
import { apiKeyPrefix, isRepeated, readBearerToken } from '../access/bearer-token.js';
import type { Principal } from '../access/principal.js';
import { AppError, unauthenticated } from '../common/errors/app-error.js';
import { isInRanges } from './address-range.js';
import { ApiKeyVerifierService } from './api-key-verifier.service.js';

/** Authenticates requests with an API key. */
@Injectable()
export class ApiKeyStrategy extends PassportStrategy(Strategy, 'api-key') {
  constructor(private readonly verifier: ApiKeyVerifierService) {
    super();
  }

  /**
   * @throws AppError 401 for a missing, malformed, unknown, deleted or expired key; 403 for a disabled one or one that is
   *   restricted to other addresses; 503 if it can't be verified
   */
  async validate(request: FastifyRequest): Promise<Principal> {
    const key = readApiKey(request);
    const verified = await this.verifier.verify(key);
    if (verified !== undefined) {
      const { id, organizationId, name, enabled, addresses, models } = verified;
      if (!enabled) throw new AppError('api-key-disabled', 'This API key is disabled.');
      if (addresses !== null && !isInRanges(request.ip, addresses)) {
        throw new AppError('address-not-allowed', `This API key may not be used from ${request.ip}.`);
      }
      return { kind: 'api-key', id, organizationId, name, permissions: [], models };
    }
    if (!key.startsWith(apiKeyPrefix)) {
      throw unauthenticated('wrong-credential', 'This route requires an API key, which starts with kc_.');
    }
    throw unauthenticated('invalid-credential', 'The API key is not valid.');
  }
}

/** `x-api-key` takes precedence; `Authorization` is then ignored. */
function readApiKey(request: FastifyRequest): string {
  const header = request.headers['x-api-key'];
  if (header !== undefined) {
    if (typeof header !== 'string' || isRepeated(request, 'x-api-key')) {
      throw unauthenticated('invalid-credential', 'The x-api-key header was sent more than once. Send it once.');
    }
    return header;
  }
  const token = readBearerToken(request);
  if (token === undefined) {
    throw unauthenticated(
      'missing-credential',
      'An API key is required. Send Authorization: Bearer <API_KEY> or x-api-key: <API_KEY>.',
    );
  }
  return token;
}

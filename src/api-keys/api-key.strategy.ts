import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { Strategy } from 'passport-custom';
import { apiKeyPrefix, isRepeated, readBearerToken } from '../access/bearer-token.js';
import type { Principal } from '../access/principal.js';
import { MovedOrganizations } from '../cells/moved-organizations.service.js';
import { AppError, unauthenticated, unavailable } from '../common/errors/app-error.js';
import { normalizeAddress } from '../common/http/client-address.js';
import type { AdmissionDemand } from '../limits/admission.js';
import { isInRanges } from './address-range.js';
import { hashApiKey, isWellFormedApiKey } from './api-key.token.js';
import { ApiKeyVerifierService } from './api-key-verifier.service.js';

/** Authenticates requests with an API key. */
@Injectable()
export class ApiKeyStrategy extends PassportStrategy(Strategy, 'api-key') {
  constructor(
    private readonly verifier: ApiKeyVerifierService,
    private readonly moved: MovedOrganizations,
  ) {
    super();
  }

  /**
   * Authenticates a request and decides whether it fits the limits of its key, as `request.admission`, unless it's free.
   *
   * @throws AppError 401 for a missing, malformed, unknown, deleted or expired key; 403 for a disabled one or one that is
   *   restricted to other addresses; 421 if its organization has moved; 503 while it moves, if the key can't be verified, or
   *   nothing decided about its limits
   */
  async validate(request: FastifyRequest): Promise<Principal> {
    const key = readApiKey(request);
    const demand = demandOf(request);
    const verified = await this.verifier.verify(key, demand);
    if (verified === undefined) {
      if (isWellFormedApiKey(key)) {
        const keyHash = hashApiKey(key);
        request.rejectedKey = { keyHash: keyHash.toString('hex') };
        const moved = await this.moved.explainMissing(keyHash);
        if (moved !== undefined) throw moved;
      }
      if (key.startsWith(apiKeyPrefix))
        throw unauthenticated('invalid-credential', 'The API key is unknown, expired, revoked or deleted.');
      throw unauthenticated('wrong-credential', 'This route requires an API key, which starts with kc_.');
    }
    const { id, organizationId, name, enabled, addresses, models, isLimited, usesPreviousSecret, admission } = verified;
    if (!enabled) {
      const moving = await this.moved.explainRejection(organizationId);
      if (moving !== undefined) throw moving;
      request.rejectedKey = { apiKeyId: id };
      throw new AppError('api-key-disabled', 'This API key is disabled.');
    }
    if (addresses !== null && !isInRanges(request.ip, addresses)) {
      request.rejectedKey = { apiKeyId: id };
      const address = normalizeAddress(request.ip) ?? 'an unknown IP address';
      throw new AppError('address-not-allowed', `This API key may not be used from ${address}.`);
    }
    // A decision lists the limits that it is about.
    if (isLimited && !demand.isFree && !admission?.states.length)
      throw unavailable('database-unavailable', undecided, 1);
    request.admission = admission;
    return { kind: 'api-key', id, organizationId, name, permissions: [], models, usesPreviousSecret };
  }
}

const undecided = "The limits of this API key can't be checked. Try again shortly.";

function demandOf({ routeOptions, ip }: FastifyRequest): AdmissionDemand {
  const { access, uses, needsKeyName = false } = routeOptions.config;
  const isFree = access?.kind === 'api-key' && !access.isCharged;
  return { uses, address: normalizeAddress(ip), needsName: needsKeyName, isFree };
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

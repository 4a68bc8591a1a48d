import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import type { FastifyRequest } from 'fastify';
import { decodeJwt, type JWTPayload, jwtVerify } from 'jose';
import { readBearerToken } from '../../access/bearer-token.js';
import { type Origin, originOf, type Principal } from '../../access/principal.js';
import { MovedOrganizations } from '../../cells/moved-organizations.service.js';
import { AppError, unauthenticated } from '../../common/errors/app-error.js';
import { errorCode } from '../../common/errors/error-utils.js';
import { MembershipsService } from '../../organizations/memberships.service.js';
import { AdmissionService } from './admission.service.js';
import type { MembershipContext } from './decide-membership.js';
import { IdentityProviderService } from './identity-provider.service.js';
import { hasEmail, type ProviderClaims, readProviderClaims } from './provider-claims.js';
import {
  clockToleranceSeconds,
  hasPlausibleAge,
  isAccessToken,
  isSubject,
  providerAlgorithms,
} from './provider-jwt.js';

/** Authenticates management requests with the identity provider's access tokens. */
@Injectable()
export class ProviderTokensService {
  constructor(
    private readonly provider: IdentityProviderService,
    private readonly admission: AdmissionService,
    private readonly memberships: MembershipsService,
    private readonly moved: MovedOrganizations,
  ) {}

  /**
   * Returns the token's principal, or undefined if the request has no token whose unverified issuer is the provider.
   *
   * @throws AppError 401 if the token isn't valid, 403 if its holder isn't admitted, 503 if the provider's keys can't
   *   be loaded
   */
  async authenticate(request: FastifyRequest): Promise<Principal | undefined> {
    const { settings } = this.provider;
    if (settings?.audience === undefined) return undefined;
    const token = readBearerToken(request);
    if (token === undefined || issuerOf(token) !== settings.issuer) return undefined;

    const payload = await this.verify(token, settings.issuer, settings.audience);
    const profile = await this.findProfile(token, payload);
    const claims = readProviderClaims(payload, profile, settings);
    const { userId, organizationId } = await this.admit(claims, originOf(request));
    const permissions = await this.memberships.findPermissions(userId, organizationId);
    if (permissions === undefined) {
      const moved = await this.moved.explainLostAccess(organizationId);
      throw moved ?? new AppError('no-organization', 'You are no longer a member of this organization.');
    }
    return { kind: 'user', id: userId, organizationId, permissions };
  }

  /** @throws AppError 403 if the person isn't admitted, 401 if the claimed organization has moved */
  private async admit(claims: ProviderClaims, origin: Origin): Promise<MembershipContext> {
    try {
      return await this.admission.admit(claims, origin);
    } catch (error) {
      const { organization } = claims;
      const moved = isUUID(organization) ? await this.moved.explainLostAccess(String(organization)) : undefined;
      throw moved ?? error;
    }
  }

  private async verify(token: string, issuer: string, audience: string): Promise<JWTPayload> {
    const { keys } = await this.provider.discover();
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keys, {
        issuer,
        audience,
        algorithms: providerAlgorithms,
        clockTolerance: clockToleranceSeconds,
        requiredClaims: ['sub', 'exp', 'iat'],
      });
      if (!isAccessToken(protectedHeader, payload, audience)) throw notAnAccessToken();
      if (!isSubject(payload.sub) || !hasPlausibleAge(payload))
        throw invalidToken('has an invalid claim "sub" or "iat"');
      return payload;
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw invalidToken(explain(error));
    }
  }

  /** Access tokens rarely contain the email, which is needed for a person's first request. */
  private async findProfile(token: string, payload: JWTPayload): Promise<object> {
    if (hasEmail(payload)) return {};
    const { iss = '', sub = '' } = payload;
    const userId = await this.admission.findUserId({ issuer: iss, subject: sub });
    return userId !== undefined ? {} : this.provider.fetchProfile(token, sub);
  }
}

function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

function invalidToken(reason: string): AppError {
  return unauthenticated('invalid-credential', `The identity provider's access token ${reason}.`);
}

function notAnAccessToken(): AppError {
  return unauthenticated(
    'invalid-credential',
    'This is not an access token. Send an access token of the identity provider.',
  );
}

function explain(error: unknown): string {
  switch (errorCode(error) ?? '') {
    case 'ERR_JWT_EXPIRED':
      return 'has expired; get a new one';
    case 'ERR_JWT_CLAIM_VALIDATION_FAILED':
      return `has a wrong or missing claim "${String(Reflect.get(Object(error) as object, 'claim'))}"`;
    default:
      return 'is not valid';
  }
}

import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { decodeJwt, type JWTPayload, jwtVerify } from 'jose';
import { AppError, unauthenticated } from '../../common/errors/app-error.js';
import { errorCode } from '../../common/errors/error-utils.js';
import { MembershipsService } from '../../organizations/memberships.service.js';
import { readBearerToken } from '../../access/bearer-token.js';
import { originOf } from '../../access/current-actor.js';
import type { Principal } from '../../access/principal.js';
import { AdmissionService } from './admission.service.js';
import { IdentityProviderService } from './identity-provider.service.js';
import { holdsEmail, readProviderClaims } from './provider-claims.js';
import {
  clockToleranceSeconds,
  hasPlausibleAge,
  isAccessToken,
  isSubject,
  providerAlgorithms,
} from './provider-jwt.js';

/** Access tokens of the identity provider, as a credential of the management routes. */
@Injectable()
export class ProviderTokensService {
  constructor(
    private readonly provider: IdentityProviderService,
    private readonly admission: AdmissionService,
    private readonly memberships: MembershipsService,
  ) {}

  /**
   * The principal of an access token of the provider; undefined when the request holds no such token, which is
   * told by the issuer that the token names, before anything of it is believed.
   *
   * @throws AppError 401 when the token is not valid, 403 when its holder is not let in, 503 without the keys
   */
  async authenticate(request: FastifyRequest): Promise<Principal | undefined> {
    const { settings } = this.provider;
    if (settings?.audience === undefined) return undefined;
    const token = readBearerToken(request);
    if (token === undefined || issuerOf(token) !== settings.issuer) return undefined;

    const payload = await this.verify(token, settings.issuer, settings.audience);
    const profile = await this.findProfile(token, payload);
    const claims = readProviderClaims(payload, profile, settings);
    const { userId, organizationId } = await this.admission.admit(claims, originOf(request));
    const permissions = await this.memberships.findPermissions(userId, organizationId);
    if (permissions === undefined) {
      throw new AppError('no-organization', 'You are no longer a member of this organization.');
    }
    return { kind: 'user', id: userId, organizationId, permissions };
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
        throw refused('has a claim "sub" or "iat" that cannot be right');
      return payload;
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw refused(explain(error));
    }
  }

  /** Access tokens seldom hold an email address, which is needed for the first one. */
  private async findProfile(token: string, payload: JWTPayload): Promise<object> {
    if (holdsEmail(payload)) return {};
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

function refused(reason: string): AppError {
  return unauthenticated('invalid-credential', `The access token of the identity provider ${reason}.`);
}

function notAnAccessToken(): AppError {
  return unauthenticated('invalid-credential', 'This is not an access token of the identity provider. Send one.');
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

import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { isUUID } from 'class-validator';
import type { JwtSecrets } from '../../config/jwt-secret.js';
import { ServiceConfig } from '../../config/service-config.js';
import { notForServiceAccounts } from '../../common/errors/app-error.js';
import type { ServiceAccountClaims } from '../../service-accounts/client-credentials.service.js';
import type { AccessTokenDto } from '../dto/sign-in.dto.js';

/** Options for signing: `aud` is the management API. */
export const tokenOptions = { algorithm: 'HS256', issuer: 'keycard', audience: 'keycard-management' } as const;

const { algorithm, ...claims } = tokenOptions;

/** Options for verification. No other algorithm is accepted (RFC 8725 §3.1). */
export const tokenChecks = { algorithms: [algorithm], ...claims };

/** The first one signs, all of them verify. */
export type SigningKeys = readonly [KeyObject, ...KeyObject[]];

/** Creates the keys once: given a string, `jsonwebtoken` would first try to parse it as a PEM key, for every token. */
export function signingKeys([first, ...others]: JwtSecrets): SigningKeys {
  const toKey = (secret: string) => createSecretKey(secret, 'utf8');
  return [toKey(first), ...others.map(toKey)];
}

/** The key that signed the token, or else the first one, with which verification then fails. */
export function keyOf(token: string, [first, ...others]: SigningKeys): KeyObject {
  const end = token.lastIndexOf('.');
  const signature = Buffer.from(token.slice(end + 1), 'base64url');
  const hasSigned = (key: KeyObject) => {
    const expected = createHmac('sha256', key)
      .update(token.slice(0, Math.max(0, end)))
      .digest();
    return expected.length === signature.length && timingSafeEqual(expected, signature);
  };
  return others.find(hasSigned) ?? first;
}

/** Claims of an access token. */
export interface AccessClaims {
  userId: string;
  organizationId: string;
  sessionId: string;
}

@Injectable()
export class AccessTokensService {
  constructor(
    private readonly config: ServiceConfig,
    private readonly jwt: JwtService,
  ) {}

  /** Issues a token for the management API. */
  async issue({ userId, organizationId, sessionId }: AccessClaims): Promise<AccessTokenDto> {
    const accessToken = await this.jwt.signAsync({ org: organizationId, sid: sessionId }, { subject: userId });
    return { accessToken, tokenType: 'Bearer', expiresIn: this.config.jwtTtlSeconds };
  }

  /**
   * Issues a token for the management API to a service account. As there is no user, `sub` is the client (RFC 9068
   * §2.2), and `ver` is the version of its secret.
   */
  async issueForServiceAccount({ id, organizationId, secretVersion }: ServiceAccountClaims): Promise<AccessTokenDto> {
    const claims = { org: organizationId, client_id: id, ver: secretVersion };
    const accessToken = await this.jwt.signAsync(claims, { subject: id });
    return { accessToken, tokenType: 'Bearer', expiresIn: this.config.jwtTtlSeconds };
  }

  /**
   * The session id in one of Keycard's access tokens, valid or expired; undefined for any other text.
   *
   * @throws AppError 403 for a token of a service account, which has no session
   */
  async findSessionId(token: string): Promise<string | undefined> {
    const options = { ...tokenChecks, ignoreExpiration: true };
    const claims = await this.jwt
      .verifyAsync<{ sid?: unknown; client_id?: unknown }>(token, options)
      .catch(() => undefined);
    if (claims?.client_id !== undefined) throw notForServiceAccounts();
    return isUUID(claims?.sid) ? String(claims?.sid) : undefined;
  }
}

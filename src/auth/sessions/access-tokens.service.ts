import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { isUUID } from 'class-validator';
import { ServiceConfig } from '../../config/service-config.js';
import type { AccessTokenDto } from '../dto/sign-in.dto.js';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { JwtSecrets } from '../../config/jwt-secret.js';

/** The only algorithm that is signed with and accepted (RFC 8725 §3.1). */
export const tokenAlgorithm = 'HS256' as const;
/** `iss` of the tokens that the built-in sign-in returns. */
export const tokenIssuer = 'keycard';
/** `aud` of the same: the management API. */
export const tokenAudience = 'keycard-management';

/** The secret that signed a token; the first one for a token that none of them signed, which then fails verification. */
export function secretOf(token: string, [first, ...others]: JwtSecrets): string {
  const end = token.lastIndexOf('.');
  const signature = Buffer.from(token.slice(end + 1), 'base64url');
  const hasSigned = (secret: string) => {
    const expected = createHmac('sha256', secret)
      .update(token.slice(0, Math.max(0, end)))
      .digest();
    return expected.length === signature.length && timingSafeEqual(expected, signature);
  };
  return others.find(hasSigned) ?? first;
}

/** What an access token says. */
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

  /** A token for the management routes. */
  async issue({ userId, organizationId, sessionId }: AccessClaims): Promise<AccessTokenDto> {
    const accessToken = await this.jwt.signAsync({ org: organizationId, sid: sessionId }, { subject: userId });
    return { accessToken, tokenType: 'Bearer', expiresIn: this.config.jwtTtlSeconds };
  }

  /** The session that a token of ours belongs to, even when it has expired; undefined for any other text. */
  async findSessionId(token: string): Promise<string | undefined> {
    const options = {
      secret: secretOf(token, this.config.jwtSecrets),
      algorithms: [tokenAlgorithm],
      issuer: tokenIssuer,
      audience: tokenAudience,
      ignoreExpiration: true,
    };
    const claims = await this.jwt.verifyAsync<{ sid?: unknown }>(token, options).catch(() => undefined);
    return isUUID(claims?.sid) ? String(claims?.sid) : undefined;
  }
}

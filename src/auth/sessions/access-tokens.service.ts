import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { isUUID } from 'class-validator';
import { ServiceConfig } from '../../config/service-config.js';
import type { AccessTokenDto } from '../dto/sign-in.dto.js';
import { secretOf, tokenAlgorithm, tokenAudience, tokenIssuer } from '../tokens.js';

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

import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { isUUID } from 'class-validator';
import type { FastifyRequest } from 'fastify';
import { Strategy } from 'passport-jwt';
import { unauthenticated } from '../../common/errors/app-error.js';
import { ServiceConfig } from '../../config/service-config.js';
import { apiKeyPrefix, readBearerToken } from '../../access/bearer-token.js';
import type { Principal } from '../../access/principal.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { secretOf, tokenAlgorithm, tokenAudience, tokenIssuer } from '../sessions/access-tokens.service.js';

/**
 * Turns a JWT into a user's principal. The token only identifies user, organization and session. Permissions are read
 * from the database for each request, so ending a session, removing a member or narrowing a role applies immediately.
 */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy, 'jwt') {
  constructor(
    config: ServiceConfig,
    private readonly sessions: SessionsService,
  ) {
    super({
      jwtFromRequest: readJwt,
      secretOrKeyProvider: (_request, token: string, done) => done(null, secretOf(token, config.jwtSecrets)),
      algorithms: [tokenAlgorithm],
      issuer: tokenIssuer,
      audience: tokenAudience,
    });
  }

  /**
   * @param claims of a token with a valid signature, issuer, audience and expiry
   * @throws AppError 401 if the session has ended or the user is no longer a member of the organization
   */
  async validate(claims: { sub?: unknown; org?: unknown; sid?: unknown; exp?: unknown }): Promise<Principal> {
    const { sub, org, sid, exp } = claims;
    if (!isUUID(sub) || !isUUID(org) || !isUUID(sid) || typeof exp !== 'number') {
      throw unauthenticated('invalid-credential', 'The JWT is not valid. Sign in again.');
    }
    const identifiers = { userId: String(sub), organizationId: String(org), sessionId: String(sid) };
    const permissions = await this.sessions.getPermissions(identifiers);
    return {
      kind: 'user',
      id: identifiers.userId,
      organizationId: identifiers.organizationId,
      permissions,
      sessionId: identifiers.sessionId,
    };
  }
}

function readJwt(request: FastifyRequest): string {
  const token = readBearerToken(request);
  if (token === undefined) {
    const hasApiKey = request.headers['x-api-key'] !== undefined;
    throw unauthenticated(
      hasApiKey ? 'wrong-credential' : 'missing-credential',
      'This route requires a JWT. Send Authorization: Bearer <JWT> with the token from POST /auth/sign-in.',
    );
  }
  if (token.startsWith(apiKeyPrefix)) {
    throw unauthenticated('wrong-credential', 'This route requires a JWT, but an API key was sent.');
  }
  return token;
}

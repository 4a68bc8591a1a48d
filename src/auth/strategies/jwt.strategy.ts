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
 * Turns a JWT into the principal of a user. The token only names user, organization and session; what the user may
 * do is read from the database each time, so an ended session, a removed member or a narrowed role is refused on the
 * very next request.
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
   * @param claims of a token whose signature, issuer, audience and expiry are already checked
   * @throws AppError 401 when the session has ended or the user is no longer a member of the organization
   */
  async validate(claims: { sub?: unknown; org?: unknown; sid?: unknown; exp?: unknown }): Promise<Principal> {
    const { sub, org, sid, exp } = claims;
    if (!isUUID(sub) || !isUUID(org) || !isUUID(sid) || typeof exp !== 'number') {
      throw unauthenticated('invalid-credential', 'The JWT is not valid; sign in again.');
    }
    const named = { userId: String(sub), organizationId: String(org), sessionId: String(sid) };
    const permissions = await this.sessions.getPermissions(named);
    return {
      kind: 'user',
      id: named.userId,
      organizationId: named.organizationId,
      permissions,
      sessionId: named.sessionId,
    };
  }
}

function readJwt(request: FastifyRequest): string {
  const token = readBearerToken(request);
  if (token === undefined) {
    const wrong = request.headers['x-api-key'] !== undefined;
    throw unauthenticated(
      wrong ? 'wrong-credential' : 'missing-credential',
      'This route takes a JWT: send Authorization: Bearer <JWT>, which POST /auth/sign-in returns.',
    );
  }
  if (token.startsWith(apiKeyPrefix)) {
    throw unauthenticated('wrong-credential', 'This route takes a JWT, and an API key was sent.');
  }
  return token;
}

import { ApiOkResponse } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { noStoreHeader } from '../../common/http/api-headers.js';
import { AccessTokenDto } from '../dto/sign-in.dto.js';
import { setRefreshCookie } from './refresh-cookie.js';
import type { OpenedSession } from './sessions.service.js';

/** Sets the cookie with the refresh token; what is returned is the body of the answer. */
export function sendSession(
  request: FastifyRequest,
  reply: FastifyReply,
  session: OpenedSession,
): AccessTokenDto {
  const { accessToken, tokenType, expiresIn, refreshToken } = session;
  setRefreshCookie(request, reply, refreshToken);
  void reply.header('cache-control', 'no-store');
  return { accessToken, tokenType, expiresIn };
}

/** Documents an answer that `sendSession` makes. */
export const ApiSessionResponse = () =>
  ApiOkResponse({
    type: AccessTokenDto,
    description: 'A token for the management routes; the cookie holds the refresh token.',
    headers: {
      'Set-Cookie': {
        description:
          'Refresh token for `POST /auth/refresh`: `HttpOnly`, `SameSite=Strict`. On plain HTTP (loopback only) it is called `keycard_refresh`, with `Path=/auth`. A second cookie, `keycard_signed_in`, shows scripts of this origin that there is one.',
        schema: { type: 'string', pattern: '^(__Host-)?keycard_refresh=' },
        example: '__Host-keycard_refresh=…; Max-Age=1209600; Path=/; HttpOnly; Secure; SameSite=Strict',
      },
      ...noStoreHeader,
    },
  });

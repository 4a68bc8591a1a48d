import type { Type } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { noStoreHeader } from '../../common/http/api-headers.js';
import { AccessTokenDto } from '../dto/sign-in.dto.js';
import { setRefreshCookie } from './refresh-cookie.js';
import type { OpenedSession } from './sessions.service.js';

/** Sets the refresh cookie and `no-store`, and returns the response body. */
export function sendSession(request: FastifyRequest, reply: FastifyReply, session: OpenedSession): AccessTokenDto {
  const { accessToken, tokenType, expiresIn, refreshToken } = session;
  setRefreshCookie(request, reply, refreshToken);
  void reply.header('cache-control', 'no-store');
  return { accessToken, tokenType, expiresIn };
}

/**
 * Documents the response of `sendSession`.
 *
 * @param type of the body, with the access token and maybe more
 */
export const ApiSessionResponse = (type: Type<AccessTokenDto> = AccessTokenDto) =>
  ApiOkResponse({
    type,
    description: 'An access token. The cookie contains the refresh token.',
    headers: {
      'Set-Cookie': {
        description:
          'Refresh token for `POST /auth/refresh`: `HttpOnly`, `SameSite=Strict`. On plain HTTP (loopback only), it is named `keycard_refresh` and has `Path=/auth`. A second cookie, `keycard_signed_in`, shows scripts of this origin that there is a session.',
        schema: { type: 'string', pattern: '^(__Host-)?keycard_refresh=' },
        example: '__Host-keycard_refresh=…; Max-Age=1209600; Path=/; HttpOnly; Secure; SameSite=Strict',
      },
      ...noStoreHeader,
    },
  });

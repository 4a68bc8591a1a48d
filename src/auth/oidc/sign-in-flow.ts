import { hkdfSync } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EncryptJWT, jwtDecrypt } from 'jose';
import { isPlainLoopback, readCookie } from '../sessions/refresh-cookie.js';

/** What has to be remembered while somebody signs in at the provider. */
export interface SignInFlow {
  state: string;
  nonce: string;
  codeVerifier: string;
  /** Where the provider sends the browser back to. */
  redirectUri: string;
  /** The page to show afterwards. */
  returnTo: string;
  /** The invitation to accept, whose token was shown when the flow began. */
  invitationId?: string;
}

const cookieName = 'keycard_sign_in';
/** Long enough to find one's second factor. */
const lifetimeSeconds = 600;
const encryption = { alg: 'dir', enc: 'A256GCM' } as const;

/**
 * Leaves the flow with the browser, encrypted, so that any replica can finish it. `SameSite=Lax`, since it is the
 * provider's site that leads back here.
 */
export async function keepFlow(
  request: FastifyRequest,
  reply: FastifyReply,
  flow: SignInFlow,
  secret: string,
): Promise<void> {
  const sealed = await new EncryptJWT({ ...flow })
    .setProtectedHeader(encryption)
    .setExpirationTime(`${lifetimeSeconds}s`)
    .encrypt(keyOf(secret));
  setCookie(request, reply, sealed, lifetimeSeconds);
}

/** The flow that this browser has begun, which is over by that; undefined without one, or when it took too long. */
export async function takeFlow(
  request: FastifyRequest,
  reply: FastifyReply,
  secret: string,
): Promise<SignInFlow | undefined> {
  const sealed = readCookie(request, cookieName);
  if (sealed === undefined) return undefined;
  setCookie(request, reply, '', 0);
  try {
    const { payload } = await jwtDecrypt<SignInFlow>(sealed, keyOf(secret), {
      keyManagementAlgorithms: [encryption.alg],
      contentEncryptionAlgorithms: [encryption.enc],
      requiredClaims: ['exp'],
    });
    return payload;
  } catch {
    return undefined;
  }
}

function setCookie(request: FastifyRequest, reply: FastifyReply, value: string, maxAgeSeconds: number): void {
  const attributes = [
    `${cookieName}=${value}`,
    `Max-Age=${maxAgeSeconds}`,
    'Path=/auth/oidc',
    'HttpOnly',
    'SameSite=Lax',
    ...(isPlainLoopback(request) ? [] : ['Secure']),
  ];
  void reply.header('set-cookie', attributes.join('; '));
}

/** A key for nothing else, from the secret that signs tokens. */
function keyOf(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', 'keycard: flow of single sign-on', 32));
}

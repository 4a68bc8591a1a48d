import { hkdfSync } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EncryptJWT, jwtDecrypt } from 'jose';
import { baseUrlOf } from '../../common/http/base-url.js';
import type { JwtSecrets } from '../../config/jwt-secret.js';
import type { ServiceConfig } from '../../config/service-config.js';
import { formatHostCookie, readHostCookie } from '../sessions/host-cookie.js';

/** State of a sign-in at the provider, kept in the browser. */
export interface SignInFlow {
  state: string;
  nonce: string;
  codeVerifier: string;
  /** Callback URL that the provider redirects to. */
  redirectUri: string;
  /** The page to show afterwards. */
  returnTo: string;
  /** The invitation to accept; its token was checked when the flow started. */
  invitationId?: string;
}

/** `Lax`, because the callback is a navigation from the provider's site. */
const flowCookie = { name: 'keycard_sign_in', path: '/auth/oidc', sameSite: 'lax' } as const;
/** Leaves time for a second factor. */
const lifetimeSeconds = 600;
const encryption = { alg: 'dir', enc: 'A256GCM' } as const;

/** Stores the flow in the browser, encrypted, so that any replica can finish it. */
export async function keepFlow(
  request: FastifyRequest,
  reply: FastifyReply,
  flow: SignInFlow,
  [secret]: JwtSecrets,
): Promise<void> {
  const sealed = await new EncryptJWT({ ...flow })
    .setProtectedHeader(encryption)
    .setExpirationTime(`${lifetimeSeconds}s`)
    .encrypt(keyOf(secret));
  setCookie(request, reply, sealed, lifetimeSeconds);
}

/**
 * Reads the browser's flow and deletes its cookie. Returns undefined if there is none, or if it has expired. Repeated
 * cookies are rejected: another site may have set one to sign the person in to the wrong account.
 */
export async function takeFlow(
  request: FastifyRequest,
  reply: FastifyReply,
  secrets: JwtSecrets,
): Promise<SignInFlow | undefined> {
  const [sealed, ...others] = readHostCookie(request, flowCookie);
  if (sealed === undefined) return undefined;
  setCookie(request, reply, '', 0);
  if (others.length > 0) return undefined;
  for (const secret of secrets) {
    const flow = await open(sealed, secret);
    if (flow !== undefined) return flow;
  }
  return undefined;
}

/** Returns undefined if the flow was encrypted with another secret, or has expired. */
async function open(sealed: string, secret: string): Promise<SignInFlow | undefined> {
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
  void reply.header('set-cookie', formatHostCookie(request, flowCookie, value, maxAgeSeconds));
}

/** Derives a key used only here from the secret that signs tokens. */
function keyOf(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', 'keycard: flow of single sign-on', 32));
}

/**
 * The callback URL that the provider redirects to.
 *
 * @throws AppError 400 if `PUBLIC_URL` isn't set and the `Host` header isn't a host name
 */
export function callbackUrlOf(request: FastifyRequest, config: Pick<ServiceConfig, 'publicUrl'>): string {
  return `${baseUrlOf(request, config)}/auth/oidc/callback`;
}

import { hkdfSync } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EncryptJWT, jwtDecrypt } from 'jose';
import type { JwtSecrets } from '../../config/jwt-secret.js';
import { formatHostCookie, readHostCookie } from '../sessions/host-cookie.js';
import { baseUrlOf } from '../../common/http/base-url.js';
import type { ServiceConfig } from '../../config/service-config.js';

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

/** `Lax`, since the provider's site sends the browser back here. */
const flowCookie = { name: 'keycard_sign_in', path: '/auth/oidc', sameSite: 'lax' } as const;
/** Long enough to find one's second factor. */
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
 * The flow that this browser has begun, which it then forgets; undefined without one, or when it took too long. Several
 * cookies are rejected as well: another site may have set one, to sign the person in to an account of its own.
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

/** Undefined when another secret has sealed it, or it has expired. */
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

/** A key for nothing else, from the secret that signs tokens. */
function keyOf(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', 'keycard: flow of single sign-on', 32));
}

/**
 * The redirect URI to which the provider sends the browser.
 *
 * @throws AppError 400 when `PUBLIC_URL` is not set and the `Host` header is not a host name
 */
export function callbackUrlOf(request: FastifyRequest, config: Pick<ServiceConfig, 'publicUrl'>): string {
  return `${baseUrlOf(request, config)}/auth/oidc/callback`;
}

import { type JWTHeaderParameters, type JWTPayload, jwtVerify, type JWTVerifyGetKey } from 'jose';
import { AppError } from '../../common/errors/app-error.js';
import { errorMessage } from '../../common/errors/error-utils.js';
import { clockToleranceSeconds, hasPlausibleAge, issueTimeOf, isSubject, providerAlgorithms } from './provider-jwt.js';

/** A logout at the identity provider from one or all of a person's sessions there. */
export interface ProviderLogout {
  issuer: string;
  /** `sub`; undefined if the token names only a session. */
  subject: string | undefined;
  /** `sid`; undefined if all sessions of the subject end. */
  providerSessionId: string | undefined;
  /** `jti`. */
  tokenId: string;
  /** `iat`, in whole seconds. */
  issuedAt: Date;
  expiresAt: Date;
}

/** What a logout token is verified against. */
export interface ExpectedToken {
  issuer: string;
  clientId: string;
  keys: JWTVerifyGetKey;
}

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
/** Bounds how long used tokens are stored. The specification recommends two minutes. */
const maxLifetimeSeconds = 24 * 60 * 60;
const maxIdLength = 1024;

/**
 * Verifies a logout token (OpenID Connect Back-Channel Logout 1.0 §2.6). Doesn't check whether it was already used.
 *
 * @throws AppError 400 if the token isn't valid, 503 if the provider's keys can't be loaded
 */
export async function verifyLogoutToken(
  token: string,
  { issuer, clientId, keys }: ExpectedToken,
): Promise<ProviderLogout> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer,
      audience: clientId,
      algorithms: providerAlgorithms,
      clockTolerance: clockToleranceSeconds,
      requiredClaims: ['iat', 'exp', 'jti', 'events'],
    });
    const fault = findFault(protectedHeader, payload);
    if (fault !== undefined) throw invalidLogoutToken(fault);
    return {
      issuer,
      subject: payload.sub,
      providerSessionId: readId(payload['sid']),
      tokenId: String(payload.jti),
      issuedAt: issueTimeOf(payload),
      expiresAt: new Date((Number(payload.exp) + clockToleranceSeconds) * 1000),
    };
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw invalidLogoutToken('The logout token is not valid.', error);
  }
}

/** A 400, required for every rejected logout token (§2.8). */
export function invalidLogoutToken(detail: string, cause?: unknown): AppError {
  const reason = cause === undefined ? detail : `${detail} (${errorMessage(cause)})`;
  return new AppError('validation-failed', reason, { fields: [{ field: 'logout_token', message: reason }], cause });
}

function findFault({ typ }: JWTHeaderParameters, payload: JWTPayload): string | undefined {
  const type = typ?.toLowerCase().replace(/^application\//, '');
  // Explicit typing is recommended, not required (§2.4).
  if (type !== undefined && type !== 'logout+jwt' && type !== 'jwt') return 'This is not a logout token.';
  const { sub, jti, exp = Infinity, nonce, sid } = payload;
  const event: unknown = Reflect.get(Object(payload['events']) as object, logoutEvent);
  if (typeof event !== 'object' || event === null) return `The claim "events" does not contain ${logoutEvent}.`;
  if (nonce !== undefined) return 'A logout token must not have a nonce.';
  if (readId(jti) === undefined) return 'The claim "jti" is not valid.';
  if (sub === undefined && sid === undefined) return 'The logout token has neither "sub" nor "sid".';
  if (sub !== undefined && !isSubject(sub)) return 'The claim "sub" is not valid.';
  if (sid !== undefined && readId(sid) === undefined) return 'The claim "sid" is not valid.';
  if (!hasPlausibleAge(payload)) return 'The claim "iat" is in the future.';
  if (exp > Date.now() / 1000 + maxLifetimeSeconds) return 'The logout token is valid for more than a day.';
  return undefined;
}

/** Returns the value if it is an identifier that PostgreSQL can store, else undefined. */
export function readId(value: unknown): string | undefined {
  const isId = typeof value === 'string' && value.isWellFormed() && !value.includes('\0');
  return isId && value.length > 0 && value.length <= maxIdLength ? value : undefined;
}

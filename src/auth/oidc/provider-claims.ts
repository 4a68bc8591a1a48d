import { isEmailAddress, normalizeEmail } from '../../common/rules/email-address.js';
import { makeVisible, nameLength } from '../../common/rules/text-rules.js';
import type { OidcConfig } from '../../config/read-config.js';
import { readId } from './logout-token.js';
import { issueTimeOf } from './provider-jwt.js';

/** A person's claims from the identity provider, validated. */
export interface ProviderClaims {
  issuer: string;
  subject: string;
  /** `sid` of the ID token: the person's session at the provider, if it names one. */
  providerSessionId: string | undefined;
  /** `iat` of the token, in whole seconds. */
  issuedAt: Date;
  /** Normalized; undefined if missing or invalid. */
  email: string | undefined;
  isEmailVerified: boolean;
  name: string | undefined;
  /** The unvalidated claim; undefined if missing. */
  organization: unknown;
  /** Undefined without the claim; empty if it contains no names. */
  roleNames: string[] | undefined;
}

/**
 * Reads the claims of a verified token, complemented by the userinfo endpoint's.
 *
 * @param payload of the token, with `iss`, `sub` and `iat`; it takes precedence over the profile
 * @param profile claims from the userinfo endpoint
 */
export function readProviderClaims(
  payload: { iss?: string; sub?: string; iat?: number },
  profile: object,
  { organizationClaim, rolesClaim }: Pick<OidcConfig, 'organizationClaim' | 'rolesClaim'>,
): ProviderClaims {
  const claims = { ...profile, ...payload };
  const emailSource = hasEmail(payload) || !isPresent(profile, 'email') ? payload : profile;
  const verified = readClaim(emailSource, 'email_verified');
  return {
    issuer: String(payload.iss),
    subject: String(payload.sub),
    providerSessionId: readId(Reflect.get(payload, 'sid')),
    issuedAt: issueTimeOf(payload),
    email: readEmail(readClaim(emailSource, 'email')),
    // Some providers send every claim as text.
    isEmailVerified: verified === true || verified === 'true',
    name: readName(readClaim(claims, 'name')),
    organization: readClaim(claims, organizationClaim) ?? undefined,
    roleNames: readRoleNames(readClaim(claims, rolesClaim)),
  };
}

/**
 * Whether the claims include both the email and its verification. Both must come from the same document: an email from
 * one and its verification from another could open another person's account.
 */
export function hasEmail(claims: object): boolean {
  return isPresent(claims, 'email') && isPresent(claims, 'email_verified');
}

function isPresent(claims: object, name: string): boolean {
  return (readClaim(claims, name) ?? undefined) !== undefined;
}

/** Reads the claim with this name, or else the nested one that a dotted name such as `realm_access.roles` leads to. */
function readClaim(claims: object, name: string): unknown {
  if (Object.hasOwn(claims, name)) return Reflect.get(claims, name);
  return name.split('.').reduce<unknown>((value, part) => {
    const isInside = typeof value === 'object' && value !== null && Object.hasOwn(value, part);
    return isInside ? Reflect.get(value, part) : undefined;
  }, claims);
}

function readEmail(value: unknown): string | undefined {
  if (typeof value !== 'string' || !isEmailAddress(value.trim())) return undefined;
  return normalizeEmail(value);
}

function readName(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const name = makeVisible(value);
  return name === '' ? undefined : [...name].slice(0, nameLength.max).join('');
}

function readRoleNames(value: unknown): string[] | undefined {
  if (value === undefined || value === null) return undefined;
  const names: unknown[] = Array.isArray(value) ? value : [value];
  return names.filter((name) => typeof name === 'string' && !name.includes('\0') && name.isWellFormed()) as string[];
}

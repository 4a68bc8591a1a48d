import { createHmac, randomBytes } from 'node:crypto';

const secretBytes = 32;
const prefix = 'whsec_';

/** Generates a secret: 32 random bytes. */
export const generateSecret = (): Buffer => randomBytes(secretBytes);

/** The secret as Standard Webhooks libraries expect it. */
export const showSecret = (secret: Buffer): string => prefix + secret.toString('base64');

/** A request to sign. */
export interface SignedMessage {
  /** Value of `webhook-id`. */
  id: string;
  /** Value of `webhook-timestamp`: seconds since 1970. */
  timestamp: number;
  body: string;
}

/**
 * The headers of a delivery (Standard Webhooks 1.0.0).
 *
 * @param secrets the current one, and during a rotation the previous one; each adds a signature
 */
export function signedHeaders(secrets: readonly Buffer[], { id, timestamp, body }: SignedMessage) {
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}

import { verify } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../common/errors/app-error.js';
import type { PublicKeys } from '../config/public-keys.js';

/**
 * Checks the signature of a report as GitHub's secret scanning makes it: ECDSA on P-256 with SHA-256 over the body as it was
 * sent, DER and base64.
 *
 * @throws AppError 403 if it is missing or wrong, or made with an unknown key
 */
export function checkSignature({ headers, bodyText = '' }: FastifyRequest, keys: PublicKeys): void {
  const { 'github-public-key-identifier': identifier, 'github-public-key-signature': signature } = headers;
  if (typeof identifier !== 'string' || typeof signature !== 'string') {
    throw new AppError(
      'invalid-signature',
      'Reports must be signed. Send Github-Public-Key-Identifier and Github-Public-Key-Signature.',
    );
  }
  const key = keys.find((known) => known.identifier === identifier);
  if (key === undefined) {
    throw new AppError('invalid-signature', 'Github-Public-Key-Identifier names an unknown public key.');
  }
  if (!verify('sha256', Buffer.from(bodyText), key.pem, Buffer.from(signature, 'base64'))) {
    throw new AppError('invalid-signature', "Github-Public-Key-Signature doesn't match the body.");
  }
}

import type { FastifyRequest } from 'fastify';
import { isRepeated } from '../../access/bearer-token.js';
import { AppError } from '../../common/errors/app-error.js';
import { invalidClient } from './invalid-client.js';

/** The credentials of a client. */
export interface Client {
  id: string;
  secret: string;
}

/**
 * Reads a request for an access token with the client credentials grant (RFC 6749 §4.4.2).
 *
 * @param form unknown fields are ignored (§3.2)
 * @throws AppError 400 or 401 with an error of RFC 6749 §5.2
 */
export function readTokenRequest(request: FastifyRequest, form: Record<string, unknown>): Client {
  const { grant_type: grantType, scope } = form;
  const client = readClient(request, form);
  if (!isText(grantType)) throw new AppError('validation-failed', 'grant_type is required.');
  if (grantType !== 'client_credentials') {
    throw new AppError('unsupported-grant-type', 'grant_type must be client_credentials.');
  }
  if (isText(scope)) {
    throw new AppError('invalid-scope', 'Keycard has no scopes. The role of the service account applies; omit scope.');
  }
  return client;
}

/** Clients authenticate either with HTTP Basic or in the form (§2.3.1), but not both (§2.3). */
function readClient(request: FastifyRequest, form: Record<string, unknown>): Client {
  const { client_id: id, client_secret: secret } = form;
  const basic = readBasic(request);
  if (basic !== undefined) {
    if (isText(secret)) throw twoMethods();
    if (isText(id) && id !== basic.id)
      throw new AppError('validation-failed', 'client_id differs from the one sent with HTTP Basic.');
    return basic;
  }
  if (!isText(id) || !isText(secret)) {
    throw invalidClient('Send client_id and client_secret, with HTTP Basic or in the form.');
  }
  return { id, secret };
}

/** @returns undefined without the header */
function readBasic(request: FastifyRequest): Client | undefined {
  const { authorization } = request.headers;
  if (authorization === undefined) return undefined;
  if (isRepeated(request, 'authorization')) throw twoMethods();
  const credentials = /^Basic +([\w+/-]+=*)$/i.exec(authorization)?.[1];
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(credentials ?? '', 'base64').toString('utf8')) ?? [];
  const client = { id: decodeForm(id), secret: decodeForm(secret) };
  if (!isText(client.id) || !isText(client.secret)) {
    throw invalidClient('The Authorization header must be HTTP Basic with the client id and the client secret.');
  }
  return { id: client.id, secret: client.secret };
}

/** Both parts are form-encoded before they are joined (§2.3.1). */
function decodeForm(text = ''): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function twoMethods(): AppError {
  return new AppError('validation-failed', 'Send the client credentials once, with HTTP Basic or in the form.');
}

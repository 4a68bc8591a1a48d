import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { allPermissions, type Permission } from '../../src/access/permissions.js';
import { hashSecret } from '../../src/common/secret-format.js';
import { Role } from '../../src/organizations/role.entity.js';
import { ServiceAccount } from '../../src/service-accounts/service-account.entity.js';
import { clientSecretFormat } from '../../src/service-accounts/client-secret.js';
import { type CallResponse, call } from '../setup/call.js';
import type { TestApp } from '../setup/test-app.js';

export interface TestServiceAccount {
  id: string;
  name: string;
  roleId: string;
  clientSecret: string;
}

/** Creates a service account with these permissions, by default all. */
export async function createServiceAccount(
  { app }: TestApp,
  { organizationId }: { organizationId: string },
  permissions: Permission[] = allPermissions,
): Promise<TestServiceAccount> {
  const { manager } = app.get(DataSource);
  const id = uuidv7();
  const roleId = uuidv7();
  const name = 'Deploy pipeline';
  const clientSecret = clientSecretFormat.generate();
  const hint = clientSecretFormat.hintOf(clientSecret);
  await manager.insert(Role, { id: roleId, organizationId, name: `Role ${roleId}`, permissions });
  await manager.insert(ServiceAccount, {
    id,
    organizationId,
    name,
    roleId,
    hint,
    secretHash: hashSecret(clientSecret),
  });
  return { id, name, roleId, clientSecret };
}

/** Requests an access token with the credentials in the form. */
export function requestToken(
  { url }: Pick<TestApp, 'url'>,
  { id, clientSecret }: Pick<TestServiceAccount, 'id' | 'clientSecret'>,
): Promise<CallResponse> {
  return sendForm(url, { grant_type: 'client_credentials', client_id: id, client_secret: clientSecret });
}

/** Sends a form to `POST /auth/token`. */
export function sendForm(
  url: string,
  fields: Record<string, string> | string,
  headers: Record<string, string> = {},
): Promise<CallResponse> {
  return call(url, 'POST /auth/token', {
    rawBody: typeof fields === 'string' ? fields : new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });
}

/** Returns a new access token. */
export async function tokenOf(service: Pick<TestApp, 'url'>, account: TestServiceAccount): Promise<string> {
  const { status, body, text } = await requestToken(service, account);
  if (status !== 200) throw new Error(text);
  return (body as { access_token: string }).access_token;
}

/** Deletes a service account. Keys that it created stay. */
export async function deleteServiceAccount(
  { url }: Pick<TestApp, 'url'>,
  { id }: Pick<TestServiceAccount, 'id'>,
  { token }: { token: string },
): Promise<void> {
  const { status, text } = await call(url, `DELETE /service-accounts/${id}`, { token });
  if (status !== 200) throw new Error(text);
}

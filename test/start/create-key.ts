import { call } from '../setup/call.js';

/** Signs in as the first administrator and creates a key. */
export async function createKey(url: string, password: string): Promise<string> {
  const credentials = { email: 'admin@keycard.local', password };
  const signedIn = await call(url, 'POST /auth/sign-in', { body: credentials });
  const { accessToken } = signedIn.body as { accessToken: string };
  const created = await call(url, 'POST /api-keys', { token: accessToken, body: { name: 'A key' } });
  return (created.body as { key: string }).key;
}

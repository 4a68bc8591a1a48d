import { DataSource } from 'typeorm';
import { generateApiKey, hashApiKey } from '../../src/api-keys/api-key.token.js';
import { createMember } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { refreshTokenOf, withRefreshToken } from '../setup/cookies.js';
import { dumpDatabase } from '../setup/dump-database.js';
import { useTestApp } from '../setup/use-test-app.js';

describe('A plaintext API key', () => {
  const service = useTestApp();

  it('should appear only in the response to its creation or rotation', async () => {
    const { token } = await createMember(service);
    const responses: string[] = [];
    const send = async (route: string, options: Parameters<typeof call>[2]) => {
      const response = await call(service.url, route, options);
      responses.push(response.text, JSON.stringify([...response.headers]));
      return response;
    };

    const created = await call(service.url, 'POST /api-keys', { token, body: { name: 'A key' } });
    const { key: former } = created.body as { key: string };
    const location = created.headers.get('location') ?? '';
    const grace = { token, body: { gracePeriodSeconds: 600 } };
    const rotated = await call(service.url, `POST ${location}/rotate`, grace);
    const { key } = rotated.body as { key: string };
    const unknown = generateApiKey();
    for (const secret of [former, key, unknown]) {
      await send('GET /v1/models', { token: secret });
      await send('GET /v1/key', { token: secret });
      await send('GET /v1/models', { headers: { 'x-api-key': secret } });
      await send('GET /v1/models', { headers: { 'x-api-key': `${secret}x` } });
      await send('GET /v1/models', { headers: { authorization: `Basic ${secret}` } });
      for (const id of [secret, `job:${secret}`, secret.slice(0, -1)]) {
        const body = { model: 'none', input: 'a' };
        await send('POST /v1/embeddings', { token: secret, body, headers: { 'x-request-id': id } });
      }
      await send('POST /v1/embeddings', {
        token: secret,
        rawBody: '{',
        headers: { 'content-type': 'application/json' },
      });
      await send('GET /api-keys', { token: secret });
      await send('GET /auth/me', { headers: { 'x-api-key': secret } });
    }
    await send('GET /api-keys', { token });
    await send(`GET ${location}`, { token });
    await send(`PATCH ${location}`, { token, body: { name: 'A renamed key' } });
    // Errors of failed queries contain their parameters, such as the key's hash.
    await service.app.get(DataSource).query('alter table api_keys rename to api_keys_away');
    await send('GET /v1/models', { token: key });
    await send('POST /api-keys', { token, body: { name: 'Another key' } });
    await send(`POST ${location}/rotate`, grace);
    await service.app.get(DataSource).query('alter table api_keys_away rename to api_keys');
    await send(`DELETE ${location}`, { token });
    await send('GET /v1/models', { token: key });

    const database = await dumpDatabase(service);
    const logs = service.logLines.join('');
    expect(logs).toContain('"level":50');
    expect(logs).toContain('/v1/models');
    for (const secret of [former, key, unknown]) {
      for (const text of [database, logs, responses.join('\n')]) expect(text).not.toContain(secret.slice(8));
      const hash = hashApiKey(secret).toString('hex');
      for (const text of [logs, responses.join('\n')]) expect(text).not.toContain(hash);
    }
  });

  it('should not appear in a database dump while the key is live', async () => {
    const { token } = await createMember(service);
    const created = await call(service.url, 'POST /api-keys', { token, body: { name: 'A live key' } });
    const { key } = created.body as { key: string };
    const dump = await dumpDatabase(service);
    expect(dump).toContain('A live key');
    expect(dump).not.toContain(key.slice(8));
    expect(dump).not.toContain(Buffer.from(key).toString('hex'));
  });
});

describe('A plaintext refresh token', () => {
  const service = useTestApp();

  it('should appear only in the cookie, before and after it is replaced', async () => {
    const { refreshToken } = await createMember(service);
    const responses: string[] = [];
    const refresh = async (token: string) => {
      const response = await call(service.url, 'POST /auth/refresh', { headers: withRefreshToken(token) });
      responses.push(response.text);
      return response;
    };
    const successor = String(refreshTokenOf(await refresh(refreshToken)));
    const atFirst = await dumpDatabase(service);
    // Errors of failed queries contain their parameters, such as the token's hashes.
    await service.query('alter table sessions rename to sessions_away');
    expect((await refresh(successor)).status).toBe(500);
    await service.query('alter table sessions_away rename to sessions');
    const last = String(refreshTokenOf(await refresh(successor)));
    expect((await refresh(refreshToken)).status).toBe(401);
    const everything = [atFirst, await dumpDatabase(service), ...service.logLines, ...responses].join('\n');
    expect(everything).toContain('session.reuse');
    expect(everything).toContain('/auth/refresh');
    for (const part of [refreshToken, successor, last].flatMap((token) => token.split('.'))) {
      expect(everything).not.toContain(part);
      expect(everything).not.toContain(Buffer.from(part, 'base64url').toString('hex'));
    }
  });
});

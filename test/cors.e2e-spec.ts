import { call } from './setup/call.js';
import { startTestApp, type TestApp } from './setup/test-app.js';

describe('CORS', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await startTestApp({ config: { corsOrigins: ['https://app.example.com'] } });
  });
  afterAll(() => service.stop());

  const preflight = (origin: string) =>
    call(service.url, 'OPTIONS /api-keys', {
      headers: {
        origin,
        'access-control-request-method': 'DELETE',
        'access-control-request-headers': 'authorization',
      },
    });

  it('should let the pages of a listed origin call the API', async () => {
    const answer = await preflight('https://app.example.com');
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
    expect(answer.headers.get('access-control-allow-methods')).toContain('DELETE');
  });

  it('should let no other', async () => {
    const answer = await preflight('https://evil.example.com');
    expect(answer.headers.get('access-control-allow-origin')).not.toBe('https://evil.example.com');
  });
});

describe('Without CORS_ORIGINS', () => {
  it('should let no page of another origin call the API', async () => {
    const service = await startTestApp();
    const answer = await call(service.url, 'GET /health/live', { headers: { origin: 'https://app.example.com' } });
    await service.stop();
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });
});

import { ReadinessService } from '../src/health/readiness.service.js';
import { call } from './setup/call.js';
import { startTestApp, type TestApp } from './setup/test-app.js';

let service: TestApp;
beforeAll(async () => {
  service = await startTestApp();
});
afterAll(() => service.stop());

describe('GET /health/live', () => {
  it('should answer 200', async () => {
    const answer = await call(service.url, 'GET /health/live');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ status: 'ok' });
  });
});

describe('GET /health/ready', () => {
  it('should answer 200 when database and engines are there', async () => {
    expect((await call(service.url, 'GET /health/ready')).status).toBe(200);
  });

  it.each(['starting', 'stopping'] as const)('should answer 503 while the service is %s', async (phase) => {
    const readiness = service.app.get(ReadinessService);
    readiness.enter(phase);
    const answer = await call(service.url, 'GET /health/ready');
    readiness.enter('running');
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(answer.body).toMatchObject({ code: 'not-ready', detail: expect.stringContaining(phase) as string });
  });
});

describe('The request id', () => {
  it('should be the one that the client sent, when it is harmless', async () => {
    const answer = await call(service.url, 'GET /nothing', { headers: { 'x-request-id': 'trace-42' } });
    expect(answer.headers.get('x-request-id')).toBe('trace-42');
    expect(answer.body).toMatchObject({ requestId: 'trace-42' });
  });

  it.each(['a b', '"', 'x'.repeat(129), ''])('should be a new one in place of %j', async (id) => {
    const answer = await call(service.url, 'GET /health/live', { headers: { 'x-request-id': id } });
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

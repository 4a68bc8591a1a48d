import { call } from './setup/call.js';
import { startTestApp, type TestApp } from './setup/test-app.js';

const header = async ({ url }: TestApp, headers: Record<string, string> = {}) =>
  (await call(url, 'GET /health/live', { headers })).headers.get('strict-transport-security');

describe('Strict-Transport-Security', () => {
  it('should be sent to a browser that uses TLS, as a trusted proxy says', async () => {
    const service = await startTestApp({ config: { trustProxy: true } });
    const sent = [await header(service, { 'x-forwarded-proto': 'https' }), await header(service)];
    const unknown = await call(service.url, 'GET /nothing', { headers: { 'x-forwarded-proto': 'https' } });
    await service.stop();
    expect(sent).toEqual(['max-age=31536000', null]);
    expect(unknown.headers.get('strict-transport-security')).toBe('max-age=31536000');
  });

  it('should be sent when PUBLIC_URL has https', async () => {
    const service = await startTestApp({ config: { publicUrl: 'https://keycard.example.com' } });
    const sent = await header(service);
    await service.stop();
    expect(sent).toBe('max-age=31536000');
  });

  it('should not be sent when an untrusted client claims to use TLS', async () => {
    const service = await startTestApp({ config: { publicUrl: 'http://127.0.0.1:3000' } });
    const sent = await header(service, { 'x-forwarded-proto': 'https' });
    await service.stop();
    expect(sent).toBeNull();
  });
});

import { ServiceError, unwrap } from './service-error.js';

const failWith = (status: number, error: unknown, headers: Record<string, string> = {}) =>
  unwrap(Promise.resolve({ error, response: new Response(null, { status, headers }) })).catch(
    (reason: unknown) => reason,
  );

describe('unwrap', () => {
  it('should report a response of a proxy that cannot reach Keycard as unreachable', async () => {
    expect(await failWith(502, '<h1>Bad Gateway</h1>')).toMatchObject({ code: 'unreachable', status: 502 });
    const noResponse: unknown = await unwrap(Promise.reject(new TypeError('Failed to fetch'))).catch((e: unknown) => e);
    expect(noResponse).toMatchObject({ code: 'unreachable', status: 0 });
  });

  it("should report other responses that Keycard didn't write with their status", async () => {
    const error = await failWith(413, '<h1>Request Entity Too Large</h1>');
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({
      code: 'unexpected-response',
      message: expect.stringContaining('HTTP 413') as string,
    });
  });

  it.each([{ error: null }, { error: { message: 7 } }, { error: { message: 'No.' } }, { detail: 7, code: 'x' }])(
    'should report a JSON object of a proxy as unexpected: %j',
    async (body) => {
      expect(await failWith(403, body)).toMatchObject({ code: 'unexpected-response', status: 403 });
    },
  );

  it.each([
    ['7', 7],
    ['Wed, 21 Oct 2026 07:28:00 GMT', undefined],
    ['soon', undefined],
  ])('should read Retry-After %s of an AI error', async (header, seconds) => {
    const body = { error: { message: 'Wait.', type: 'rate_limit_error', param: null, code: null } };
    const error = await failWith(429, body, { 'retry-after': header });
    expect(error).toMatchObject({ message: 'Wait.', code: null });
    expect(Reflect.get(Object(error) as object, 'retryAfterSeconds')).toBe(seconds);
  });
});

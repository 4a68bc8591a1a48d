import { ServiceError, unwrap } from './service-error.js';

const failWith = (status: number, error: unknown) =>
  unwrap(Promise.resolve({ error, response: new Response(null, { status }) })).catch((reason: unknown) => reason);

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
});

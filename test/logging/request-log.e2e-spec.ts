import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';

const service = useTestApp();

/** Waits for the log line of a request. */
async function readRequestLine(requestId: string | null): Promise<unknown> {
  const find = () => service.logLines.find((line) => line.includes(`"requestId":"${requestId}"`));
  await waitFor(() => find() !== undefined);
  return JSON.parse(find() ?? '');
}

describe('The log line of a request', () => {
  it('should have ids, the IP address, method, route, status and duration, without parameters, headers and body', async () => {
    const member = await createMember(service);
    const { id } = await createApiKey(service, member);
    const { headers } = await call(service.url, `PATCH /api-keys/${id}?secret=in-the-url`, {
      token: member.token,
      headers: { 'x-header': 'in-a-header' },
      body: { name: 'In the body' },
    });
    expect(await readRequestLine(headers.get('x-request-id'))).toEqual({
      level: 30,
      time: expect.anything() as unknown,
      pid: process.pid,
      hostname: expect.any(String) as string,
      requestId: headers.get('x-request-id'),
      principalId: member.userId,
      organizationId: member.organizationId,
      address: '127.0.0.1',
      method: 'PATCH',
      route: '/api-keys/:id',
      status: 200,
      milliseconds: expect.any(Number) as number,
      msg: 'request',
    });
  });
});

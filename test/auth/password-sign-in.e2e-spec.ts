import { createMember } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';

const service = useTestApp({ config: { passwordSignIn: false } });

describe('Turning off password sign-in', () => {
  it.each(['sign-in', 'accept-invitation', 'change-password', 'reset-password'])(
    'should make POST /auth/%s return 403',
    async (name) => {
      const { token } = await createMember(service);
      const { status, body } = await call(service.url, `POST /auth/${name}`, { token, body: {} });
      expect(status).toBe(403);
      expect(body).toMatchObject({ code: 'password-sign-in-off' });
    },
  );
});

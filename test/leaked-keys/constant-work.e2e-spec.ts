import { generateApiKey } from '../../src/api-keys/api-key.token.js';
import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { statementsOf } from '../setup/request-statements.js';
import { useTestApp } from '../setup/use-test-app.js';
import { createMemberOn, place, report } from './reports.js';

const service = useTestApp();

const statementsOfReport = (...tokens: string[]) =>
  statementsOf(service, () => report(service, ...tokens.map((token) => ({ token, ...place }))));
/** A new report is recorded in the audit log, and told to webhooks. */
const isEvent = (text: string) => /insert into (audit_)?events/.test(text);

describe('The work for a report', () => {
  it.each(['notify', 'disable'])(
    'should be the same for a key as for none, but for recording a new event (%s)',
    async (onLeak) => {
      const { key } = await createApiKey(service, await createMemberOn(service, onLeak));
      await report(service, { token: generateApiKey() });
      const withoutKey = await statementsOfReport(generateApiKey());
      const [first, repeated] = [await statementsOfReport(key), await statementsOfReport(key)];
      expect(withoutKey.length).toBeGreaterThan(5);
      expect(repeated).toEqual(withoutKey);
      expect(first.filter((text) => !isEvent(text))).toEqual(withoutKey);
      expect(first.filter(isEvent)).toHaveLength(2);
    },
  );

  it('should be as many statements for many tokens as for one', async () => {
    const member = await createMember(service);
    const { key } = await createApiKey(service, member);
    await report(service, { token: key, ...place });
    const one = await statementsOfReport(generateApiKey());
    const many = await statementsOfReport(key, ...Array.from({ length: 500 }, generateApiKey));
    expect(many).toEqual(one);
  });
});

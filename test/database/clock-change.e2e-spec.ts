import type { CreatedInvitationDto } from '../../src/organizations/invitations/dto/invitation.dto.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.js';
import { useTestApp } from '../setup/use-test-app.js';

const dayMilliseconds = 24 * 60 * 60 * 1000;

/** Returns a POSIX time zone in which daylight saving time begins in three days. */
function zoneWithClockChange(): string {
  const dayOfYear = (daysAhead: number) => {
    const day = new Date(Date.now() + daysAhead * dayMilliseconds);
    // POSIX day numbers skip leap days.
    return 1 + (Date.UTC(2026, day.getUTCMonth(), day.getUTCDate()) - Date.UTC(2026, 0, 1)) / dayMilliseconds;
  };
  return `STD0DST,J${dayOfYear(3)}/0,J${dayOfYear(60)}/0`;
}

describe('With a database time zone that is about to change clocks', () => {
  let database: TestDatabase;
  let member: Member;
  const service = useTestApp(async () => {
    database = await createTestDatabase();
    return {
      database: { ...database.connection, options: `-c TimeZone=${zoneWithClockChange()}` },
    };
  });
  beforeAll(async () => {
    member = await createMember(service);
  });
  afterAll(() => database.drop());

  it('the test should cross the clock change', async () => {
    const [row] = await service.query<{ hours: number }>(
      `select extract(epoch from now() + interval '7 days' - now())::int / 3600 as hours`,
    );
    expect(row?.hours).toBe(7 * 24 - 1);
  });

  it('an invitation should expire after exactly 7 × 24 hours', async () => {
    const body = { email: 'guest@example.com', roleId: member.roleId };
    const response = await call(service.url, 'POST /members', { token: member.token, body });
    const { createdAt, expiresAt } = response.body as CreatedInvitationDto;
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(7 * dayMilliseconds);
  });

  it('a session should expire after exactly 14 × 24 hours', async () => {
    const response = await call(service.url, 'GET /auth/sessions', { token: member.token });
    const [session] = (response.body as { sessions: { createdAt: string; expiresAt: string }[] }).sessions;
    const { createdAt = '', expiresAt = '' } = session ?? {};
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(14 * dayMilliseconds);
  });
});

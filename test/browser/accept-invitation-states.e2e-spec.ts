import type { CreatedInvitationDto } from '../../src/organizations/invitations/dto/invitation.dto.js';
import { createAccount } from '../factories/accounts.js';
import { createMember, type Member } from '../factories/organizations.js';
import { oidcSettings } from '../oidc/oidc-settings.js';
import { TestProvider } from '../oidc/test-provider.js';
import { call } from '../setup/call.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { Dashboard } from './setup/dashboard.js';
import { measureOverflow, narrowWindow } from './setup/narrow-window.js';
import type { Visitor } from './setup/visitor.js';

/** How to bring the page into a state, and what it shows then. */
interface State {
  heading: RegExp;
  text: string;
  open: (visitor: Visitor) => Promise<void>;
}

const provider = new TestProvider();
const withPassword = new Dashboard();
const withoutPassword = new Dashboard();
let owner: Member;

beforeAll(() => provider.start());
afterAll(() => provider.stop());

async function invite({ service }: Dashboard, email?: string): Promise<CreatedInvitationDto> {
  owner = await createMember(service);
  const body = { email: email ?? `guest-of-${owner.userId}@example.com`, roleId: owner.roleId };
  return (await call(service.url, 'POST /members', { token: owner.token, body })).body as CreatedInvitationDto;
}

const states: Record<string, State> = {
  'the user can create an account': {
    heading: /^Join /,
    text: 'Create account and join',
    open: async ({ page }) => void (await page.goto((await invite(withPassword)).link)),
  },
  'the user has an account': {
    heading: /^Join /,
    text: 'The password of your existing account.',
    open: async ({ page }) => {
      const { email } = await createAccount(withPassword.service);
      await page.goto((await invite(withPassword, email)).link);
      await page.getByRole('button', { name: 'Use your password' }).click();
    },
  },
  'the invited user is signed in': {
    heading: /^Join /,
    text: 'The password of your existing account.',
    open: async (visitor) => {
      const account = await createAccount(withPassword.service);
      const { link } = await invite(withPassword, account.email);
      await visitor.visit(account, '/dashboard/keys');
      await visitor.page.goto(link);
    },
  },
  'another user is signed in': {
    heading: /^Join /,
    text: "You're signed in as",
    open: async (visitor) => {
      const { link } = await invite(withPassword);
      await visitor.visit(owner, '/dashboard/members');
      await visitor.page.goto(link);
    },
  },
  'the invitation has expired': {
    heading: /^This invitation has expired$/,
    text: 'for a new link',
    open: async ({ page }) => {
      const { id, link } = await invite(withPassword);
      await withPassword.service.query('update invitations set expires_at = now() where id = $1', [id]);
      await page.goto(link);
    },
  },
  'the invitation was withdrawn': {
    heading: /^Invitation no longer valid$/,
    text: 'withdrawn',
    open: async ({ page }) => {
      const { id, link } = await invite(withPassword);
      await call(withPassword.service.url, `DELETE /invitations/${id}`, { token: owner.token });
      await page.goto(link);
    },
  },
  'the token is missing': {
    heading: /^Open your invitation$/,
    text: 'To join an organization, open the invitation link you received.',
    open: async ({ page }) => void (await page.goto('/accept-invitation')),
  },
};

const statesWithoutPassword: Record<string, State> = {
  'only single sign-on is available': {
    heading: /^Join /,
    text: 'Continue with',
    open: async ({ page }) => void (await page.goto((await invite(withoutPassword)).link)),
  },
  'the provider knows the user by another email': {
    heading: /^Couldn't accept the invitation$/,
    text: 'for another email',
    open: async ({ page }) => {
      provider.visitor = provider.meet();
      await page.goto((await invite(withoutPassword)).link);
      await page.getByRole('button', { name: /^Continue with / }).click();
    },
  },
};

/** Checks all states in a narrow window. */
function checkStates(dashboard: Dashboard, checked: Record<string, State>, passwordSignIn: boolean): void {
  beforeAll(async () => {
    await dashboard.start({ config: { passwordSignIn, oidc: oidcSettings(provider) } });
    provider.registerClient(dashboard.service.url);
  });
  afterAll(() => dashboard.stop());

  it.each(Object.entries(checked))(
    'should have no accessibility violations in light or dark mode and fit a narrow window if %s',
    dashboard.test(async (visitor, _name: string, { open, heading, text }: State) => {
      const { page } = visitor;
      await open(visitor);
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
      await expect(page.getByText(text).first()).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      expect(await measureOverflow(page)).toBe(0);
    }, narrowWindow),
  );
}

describe('The invitation page', () => checkStates(withPassword, states, true));
describe('The invitation page without password sign-in', () =>
  checkStates(withoutPassword, statesWithoutPassword, false));

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

/** What the page shows then, and how to get there. */
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

async function invite({ service }: Dashboard, address?: string): Promise<CreatedInvitationDto> {
  owner = await createMember(service);
  const body = { email: address ?? `guest-of-${owner.userId}@example.com`, roleId: owner.roleId };
  return (await call(service.url, 'POST /members', { token: owner.token, body })).body as CreatedInvitationDto;
}

const states: Record<string, State> = {
  'for a new account': {
    heading: /^Join /,
    text: 'Create account and join',
    open: async ({ page }) => void (await page.goto((await invite(withPassword)).link)),
  },
  'for an account that is there': {
    heading: /^Join /,
    text: 'Enter the password of your account',
    open: async ({ page }) => {
      const { email } = await createAccount(withPassword.service);
      await page.goto((await invite(withPassword, email)).link);
      await page.getByRole('button', { name: 'Use its password' }).click();
    },
  },
  'for the account that is signed in': {
    heading: /^Join /,
    text: 'Enter the password of your account',
    open: async (visitor) => {
      const account = await createAccount(withPassword.service);
      const { link } = await invite(withPassword, account.email);
      await visitor.visit(account, '/dashboard/keys');
      await visitor.page.goto(link);
    },
  },
  'for somebody else than who is signed in': {
    heading: /^Join /,
    text: 'You are signed in as',
    open: async (visitor) => {
      const { link } = await invite(withPassword);
      await visitor.visit(owner, '/dashboard/members');
      await visitor.page.goto(link);
    },
  },
  expired: {
    heading: /^This invitation has expired$/,
    text: 'Ask for a new',
    open: async ({ page }) => {
      const { id, link } = await invite(withPassword);
      await withPassword.service.query('update invitations set expires_at = now() where id = $1', [id]);
      await page.goto(link);
    },
  },
  withdrawn: {
    heading: /^This invitation is no longer open$/,
    text: 'withdrawn',
    open: async ({ page }) => {
      const { id, link } = await invite(withPassword);
      await call(withPassword.service.url, `DELETE /invitations/${id}`, { token: owner.token });
      await page.goto(link);
    },
  },
  'with a link that was cut off': {
    heading: /^Open your invitation$/,
    text: 'Open the whole link',
    open: async ({ page }) => void (await page.goto('/accept-invitation')),
  },
};

const statesWithoutPassword: Record<string, State> = {
  'open to single sign-on alone': {
    heading: /^Join /,
    text: 'Continue with',
    open: async ({ page }) => void (await page.goto((await invite(withoutPassword)).link)),
  },
  'for another address than the provider knows': {
    heading: /^The invitation was not accepted$/,
    text: 'for another email',
    open: async ({ page }) => {
      provider.visitor = provider.meet();
      await page.goto((await invite(withoutPassword)).link);
      await page.getByRole('button', { name: /^Continue with / }).click();
    },
  },
};

/** Inspects all states, in both colours and at 360 pixels. */
function inspect(dashboard: Dashboard, inspected: Record<string, State>, isPasswordSignInOn: boolean): void {
  beforeAll(async () => {
    await dashboard.start({ config: { isPasswordSignInOn, oidc: oidcSettings(provider) } });
    provider.registerClient(dashboard.service.url);
  });
  afterAll(() => dashboard.stop());

  describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
    it.each(Object.entries(inspected))(
      'should hinder nobody when it is %s',
      dashboard.test(
        async (visitor, _name: string, { open, heading, text }: State) => {
          const { page } = visitor;
          await open(visitor);
          await page.getByRole('heading', { level: 1, name: heading }).waitFor();
          await page.getByText(text).first().waitFor();
          expect(await findAccessibilityViolations(page)).toEqual([]);
          expect(await measureOverflow(page)).toBe(0);
        },
        { colorScheme, ...narrowWindow },
      ),
    );
  });
}

describe('The page of an invitation', () => inspect(withPassword, states, true));
describe('The page of an invitation without passwords', () => inspect(withoutPassword, statesWithoutPassword, false));

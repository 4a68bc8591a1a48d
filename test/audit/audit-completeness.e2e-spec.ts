import { adminCommands } from '../../src/admin/parse-arguments.js';
import { type AuditAction, auditActions, systemActions } from '../../src/audit/audit-actions.js';
import { auditedMetadata } from '../../src/audit/audit.service.js';
import { AccessCheckService, type RouteAccess } from '../../src/access/access-check.service.js';
import { oidcSettings } from '../oidc/oidc-settings.js';
import { apiKeyScenarios } from './scenarios/api-keys.js';
import { organizationScenarios } from './scenarios/organizations.js';
import { serviceAccountScenarios } from './scenarios/service-accounts.js';
import { setStage } from './scenarios/scenario.js';
import { identityProvider, signInScenarios } from './scenarios/sign-in.js';
import { webhookScenarios } from './scenarios/webhooks.js';
import { useTestApp } from '../setup/use-test-app.js';

/** A scenario for each event, by `METHOD path: action`. */
const scenarios = {
  ...apiKeyScenarios,
  ...organizationScenarios,
  ...serviceAccountScenarios,
  ...signInScenarios,
  ...webhookScenarios,
};

/** Routes that change nothing but use POST, since a secret must not be in a URL. */
const readingRoutes = ['POST /auth/preview-invitation', 'POST /auth/oidc/start-invitation'];

/** Actions of rejected requests. */
const refusals = ['sign-in-failed', 'sign-in-blocked', 'session.reuse'];

const service = useTestApp(async () => {
  await identityProvider.start();
  // No server listens there: what mail is about is recorded before it's sent.
  const mail = { smtpUrl: 'smtp://127.0.0.1:9', from: 'keycard@example.com' };
  return { config: { oidc: oidcSettings(identityProvider), mail } };
});
afterAll(() => identityProvider.stop());

/** Returns every management route with its declared actions. */
const managementRoutes = () =>
  service.app
    .get(AccessCheckService)
    .routes()
    .filter(({ access }) => access?.kind !== 'api-key')
    .map((route) => ({ route: route.route, actions: actionsOf(route) }));

const writingRoutes = () =>
  managementRoutes().filter(({ route }) => !route.startsWith('GET ') && !readingRoutes.includes(route));

function actionsOf({ handler }: RouteAccess): AuditAction[] {
  return (Reflect.getMetadata(auditedMetadata, handler) as AuditAction[] | undefined) ?? [];
}

interface EventFact {
  id: string;
  action: string;
}

const readEvents = () => service.query<EventFact>('select id, action from audit_events');

describe('The audit log', () => {
  it('should be written by every management route that changes something', () => {
    const silent = writingRoutes().filter(({ actions }) => actions.length === 0);
    expect(silent.map(({ route }) => `${route}: declare with @Audited(…) which event it leaves`)).toEqual([]);
  });

  it('should have no action that no route or command declares, and the service itself does not perform', () => {
    const commands = Object.values(adminCommands);
    const declared = new Set([
      ...managementRoutes().flatMap(({ actions }) => actions),
      ...commands.flatMap(({ audited }) => audited),
      ...systemActions,
    ]);
    expect(Object.keys(auditActions).filter((action) => !declared.has(action as AuditAction))).toEqual([]);
  });

  it('should have exactly one scenario for each event a route declares', () => {
    const declared = writingRoutes().flatMap(({ route, actions }) => actions.map((action) => `${route}: ${action}`));
    expect(Object.keys(scenarios).sort()).toEqual(declared.sort());
  });

  it.each(Object.entries(scenarios))('should get exactly one event from %s', async (name, scenario) => {
    const [route, action] = name.split(': ');
    const perform = await scenario(await setStage(service));
    const before = new Set((await readEvents()).map(({ id }) => id));
    const { status, text } = await perform();
    const added = (await readEvents()).filter(({ id }) => !before.has(id)).map((event) => event.action);
    expect({ status, text, events: added.filter((one) => one === action) }).toMatchObject({ events: [action] });
    // Rejections are recorded, too.
    expect(status < 300).toBe(!refusals.includes(action ?? ''));
    const declared = managementRoutes().find((one) => one.route === route)?.actions;
    expect(declared).toEqual(expect.arrayContaining(added));
  });
});

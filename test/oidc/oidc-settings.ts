import type { OidcConfig } from '../../src/config/read-config.js';
import { providerLimits } from '../../src/config/provider-limits.js';
import { audience, client, type TestProvider } from './test-provider.js';

/** Returns the settings for the provider. */
export function oidcSettings({ issuer }: TestProvider): OidcConfig {
  return {
    issuer,
    clientId: client.id,
    clientSecret: client.secret,
    scopes: 'openid profile email',
    userinfo: true,
    audience,
    organizationClaim: 'organization',
    rolesClaim: 'roles',
    sessionHours: 12,
    defaultRole: undefined,
    missingRoles: 'keep',
    limits: { ...providerLimits, cooldownMilliseconds: 0 },
  };
}

import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { loadOrGenerateJwtSecrets } from './jwt-secret.js';
import { providerLimits } from './provider-limits.js';
import { describeDatabase, readAdminConfig, readConfig, readEnvironment } from './read-config.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'keycard-config-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('readConfig', () => {
  it('should have a default for everything a first start needs', () => {
    expect(readConfig({})).toEqual({
      host: '127.0.0.1',
      port: 3000,
      metricsPort: undefined,
      workers: 1,
      dataDir: path.resolve('.keycard'),
      databaseUrl: undefined,
      jwtSecret: undefined,
      jwtTtlSeconds: 900,
      adminEmail: 'admin@keycard.local',
      adminPassword: undefined,
      logLevel: 'info',
      drainSeconds: 5,
      stopSeconds: 30,
      trustProxy: false,
      backupSigningKey: undefined,
      usageRetentionDays: 400,
      auditRetentionDays: undefined,
      auditSigningKey: undefined,
      auditSinksFile: undefined,
      publicUrl: undefined,
      corsOrigins: [],
      maxConnections: 10_000,
      limitWaitSeconds: 2,
      creationLimitPerUser: 600,
      creationLimitPerOrganization: 1200,
      modelsFile: undefined,
      readSecret: expect.any(Function) as () => undefined,
      leakedKeysPublicKeys: undefined,
      webhookAllowedNetworks: [],
      documentFetch: true,
      embeddingsCacheMb: 0,
      ocrLanguages: 'auto',
      ocrDataDir: undefined,
      ocrWorkerMemoryMb: 1024,
      mail: undefined,
      otel: undefined,
      organizationCreation: 'owners',
      passwordSignIn: true,
      oidc: undefined,
    });
  });

  it('should treat an empty variable as unset', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 3000, databaseUrl: undefined });
  });

  it.each([
    ['false', false],
    ['true', true],
    ['2', 2],
    ['10.0.0.1, 192.168.0.0/16,::1', ['10.0.0.1', '192.168.0.0/16', '::1']],
  ])('should read TRUST_PROXY=%s', (text, value) => {
    expect(readConfig({ TRUST_PROXY: text }).trustProxy).toEqual(value);
  });

  it('should read the settings of traces', () => {
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example.com/otlp',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20YQ==, x-team=search',
    };
    expect(readConfig(environment).otel).toEqual({
      exporterOtlpEndpoint: 'https://collector.example.com/otlp',
      exporterOtlpHeaders: { authorization: 'Basic YQ==', 'x-team': 'search' },
      serviceName: 'keycard',
    });
  });

  it('should read WORKERS, one for each processor with auto', () => {
    expect(readConfig({ WORKERS: '3' }).workers).toBe(3);
    expect(readConfig({ WORKERS: 'auto' }).workers).toBe(availableParallelism());
  });

  it('should read DOCUMENT_FETCH=off', () => {
    expect(readConfig({ DOCUMENT_FETCH: 'off' }).documentFetch).toBe(false);
  });

  it.each([
    ['PORT', '65536'],
    ['PORT', '80a'],
    ['PORT', '-1'],
    ['HOST', 'no host'],
    ['WORKERS', '0'],
    ['WORKERS', '-1'],
    ['WORKERS', 'many'],
    ['WORKERS', '129'],
    ['DATABASE_URL', 'mysql://localhost/keycard'],
    ['DATABASE_URL', 'localhost'],
    ['JWT_SECRET', 'a secret of 31 bytes, too short'],
    ['JWT_SECRET', `${'a'.repeat(15)},${'b'.repeat(15)}`],
    ['JWT_TTL_SECONDS', '59'],
    ['JWT_TTL_SECONDS', '15m'],
    ['ADMIN_EMAIL', 'admin'],
    ['OIDC_SESSION_HOURS', '-1'],
    ['OIDC_SESSION_HOURS', '2161'],
    ['ADMIN_PASSWORD', 'too short'],
    ['LOG_LEVEL', 'verbose'],
    ['TRUST_PROXY', 'proxy.example.com'],
    ['PUBLIC_URL', 'keycard.example.org'],
    ['PUBLIC_URL', 'https://keycard.example.org/'],
    ['PUBLIC_URL', 'ftp://keycard.example.org'],
    ['CORS_ORIGINS', 'https://app.example.com/path'],
    ['CORS_ORIGINS', '*'],
    ['DOCUMENT_FETCH', 'false'],
    ['EMBEDDINGS_CACHE_MB', '-1'],
    ['OCR_LANGUAGES', 'english please'],
    ['OCR_LANGUAGES', 'eng+deu'],
    ['OCR_LANGUAGES', 'eng,eng'],
    ['OCR_LANGUAGES', 'auto,eng'],
    ['OCR_LANGUAGES', ', ,'],
    ['OCR_WORKER_MEMORY_MB', '383'],
    ['USAGE_RETENTION_DAYS', '34'],
    ['AUDIT_RETENTION_DAYS', '29'],
    ['PASSWORD_SIGN_IN', 'no'],
    ['OIDC_ISSUER', 'http://id.example.com'],
    ['OIDC_ISSUER', 'https://id.example.com/?tenant=1'],
    ['OIDC_SCOPES', 'profile email'],
    ['OIDC_ROLES_CLAIM', 'my roles'],
  ])('should reject %s=%s, saying what is allowed without quoting the value', (name, value) => {
    const read = () => readConfig({ [name]: value });
    expect(read).toThrow(new RegExp(`^ *${name} must be `, 'm'));
    expect(read).not.toThrow(value);
  });

  it('should read variables named in the models file, treating empty ones as unset', () => {
    const { modelsFile, readSecret } = readConfig({ MODELS_FILE: 'models.yaml', ACME_KEY: 'secret', EMPTY_KEY: '' });
    expect(modelsFile).toBe(path.resolve('models.yaml'));
    expect(['ACME_KEY', 'EMPTY_KEY', 'UNSET_KEY'].map(readSecret)).toEqual(['secret', undefined, undefined]);
  });

  it.each([
    ['a'.repeat(32), ['a'.repeat(32)]],
    [`${'a'.repeat(32)}, ${'b'.repeat(40)}`, ['a'.repeat(32), 'b'.repeat(40)]],
    ['a secret of an earlier release, with a comma', ['a secret of an earlier release, with a comma']],
  ])('should read one JWT_SECRET, or two separated by a comma: %s', (text, secrets) => {
    expect(readConfig({ JWT_SECRET: text }).jwtSecret).toEqual(secrets);
  });

  it('should reject the placeholder of an example in any variable', () => {
    const environment = {
      DATABASE_URL: 'postgresql://keycard:REPLACE-ME@localhost/keycard',
      JWT_SECRET: 'REPLACE-ME with at least 32 bytes',
      OIDC_CLIENT_SECRET: 'REPLACE-ME',
    };
    for (const name of Object.keys(environment)) {
      expect(() => readConfig(environment)).toThrow(`${name} still has the placeholder REPLACE-ME.`);
    }
  });

  it('should reject DATABASE_URL without JWT_SECRET', () => {
    expect(() => readConfig({ DATABASE_URL: 'postgresql://localhost/keycard' })).toThrow(/^JWT_SECRET must be set/);
  });
});

describe('readConfig with several problems', () => {
  it('should report all of them at once, without quoting a value', () => {
    const environment = {
      PORT: '70000',
      JWT_SECRET: 'short secret',
      DATABASE_URL: 'mysql://root:hidden@localhost',
      OIDC_CLIENT_SECRET: 's3cret',
    };
    const read = () => readConfig(environment);
    expect(read).toThrow(
      [
        'several variables must be corrected:',
        '  PORT must be a whole number from 0 to 65535.',
        '  DATABASE_URL must be a URL like postgresql://user:password@host:5432/database.',
        '  JWT_SECRET must be at least 32 bytes long, or two such secrets separated by a comma.',
        '  OIDC_CLIENT_ID must be set when OIDC_CLIENT_SECRET is set.',
      ].join('\n'),
    );
    expect(read).not.toThrow(/70000|short|hidden|s3cret/);
  });

  it('should ignore variables that npm run admin does not use', () => {
    expect(() => readAdminConfig({ PORT: '70000', LOG_LEVEL: 'loud' })).toThrow(/^PORT must be [^\n]*$/);
    expect(readAdminConfig({ LOG_LEVEL: 'loud' }).port).toBe(3000);
  });
});

describe('readConfig with an OpenID provider', () => {
  const issuer = 'https://id.example.com/';

  it('should have a default for everything except issuer and client', () => {
    expect(readConfig({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'keycard' }).oidc).toEqual({
      issuer,
      clientId: 'keycard',
      clientSecret: undefined,
      scopes: 'openid profile email',
      userinfo: true,
      audience: undefined,
      organizationClaim: 'organization',
      rolesClaim: 'roles',
      sessionHours: 12,
      defaultRole: undefined,
      missingRoles: 'keep',
      limits: providerLimits,
    });
  });

  it.each([
    ['OIDC_ISSUER must be set when OIDC_CLIENT_ID is set', { OIDC_CLIENT_ID: 'keycard' }],
    ['OIDC_ISSUER must be set when OIDC_AUDIENCE is set', { OIDC_AUDIENCE: 'keycard' }],
    ['OIDC_ISSUER must be set when OIDC_DEFAULT_ROLE is set', { OIDC_DEFAULT_ROLE: 'Viewer' }],
    [
      'OIDC_CLIENT_ID must be set when OIDC_CLIENT_SECRET is set',
      { OIDC_ISSUER: issuer, OIDC_CLIENT_SECRET: 's3cret' },
    ],
    ['OIDC_CLIENT_ID or OIDC_AUDIENCE must be set', { OIDC_ISSUER: issuer }],
    ['OIDC_ISSUER must be set when PASSWORD_SIGN_IN=off is set', { PASSWORD_SIGN_IN: 'off' }],
  ])('should report that %s', (message, environment) => {
    expect(() => readConfig(environment)).toThrow(message);
  });
});

describe('readEnvironment', () => {
  it('should add variables from .env without overriding the environment', () => {
    writeFileSync(path.join(folder, '.env'), 'PATH=from-file\nKEYCARD_ONLY_IN_FILE=yes\n');
    const environment = readEnvironment(folder);
    expect(environment['KEYCARD_ONLY_IN_FILE']).toBe('yes');
    expect(environment['PATH']).toBe(process.env['PATH']);
  });

  it('should not let an empty variable override .env', () => {
    writeFileSync(path.join(folder, '.env'), 'DATABASE_URL=postgresql://db.example.com/keycard\n');
    process.env['DATABASE_URL'] = '';
    try {
      expect(readEnvironment(folder)['DATABASE_URL']).toBe('postgresql://db.example.com/keycard');
    } finally {
      delete process.env['DATABASE_URL'];
    }
  });

  it('should work without .env', () => {
    expect(readEnvironment(folder)['PATH']).toBe(process.env['PATH']);
  });
});

describe('describeDatabase', () => {
  it.each([
    ['db.example.com:5432/keycard', 'postgresql://keycard:secret@db.example.com:5432/keycard?sslmode=verify-full'],
    ['the embedded database in /data', undefined],
  ])('should name %s without credentials', (name, databaseUrl) => {
    expect(describeDatabase({ databaseUrl, dataDir: '/data' })).toBe(name);
  });
});

describe('loadOrGenerateJwtSecrets', () => {
  it('should generate a secret once, readable only by its owner', () => {
    const [secret, ...others] = loadOrGenerateJwtSecrets(folder);
    expect(Buffer.byteLength(secret)).toBeGreaterThanOrEqual(32);
    expect(others).toEqual([]);
    expect(loadOrGenerateJwtSecrets(folder)).toEqual([secret]);
    expect(statSync(path.join(folder, 'jwt-secret')).mode & 0o777).toBe(0o600);
    expect(readFileSync(path.join(folder, 'jwt-secret'), 'utf8')).toBe(secret);
  });

  it('should reject a file without a secret', () => {
    writeFileSync(path.join(folder, 'jwt-secret'), 'short');
    expect(() => loadOrGenerateJwtSecrets(folder)).toThrow('at least 32 bytes');
  });
});

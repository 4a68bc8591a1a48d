import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { releaseMilliseconds } from '../src/close-app.js';
import { readConfig } from '../src/config/read-config.js';

const folder = 'deploy/kubernetes';
const resources = readdirSync(folder).flatMap((file) =>
  parseAllDocuments(readFileSync(path.join(folder, file), 'utf8')).map((document) => document.toJS() as unknown),
);

const probe = z.object({
  httpGet: z.strictObject({ path: z.string(), port: z.string() }),
  failureThreshold: z.number(),
  periodSeconds: z.number(),
  timeoutSeconds: z.number().optional(),
});
const container = z.object({
  image: z.string(),
  envFrom: z.tuple([z.object({ secretRef: z.object({ name: z.string() }) })]),
  env: z.array(z.strictObject({ name: z.string(), value: z.string() })),
  ports: z.array(z.strictObject({ name: z.string(), containerPort: z.number() })),
  startupProbe: probe,
  readinessProbe: probe,
  livenessProbe: probe,
});
const labels = z.object({ app: z.string() });
const deploymentSchema = z.object({
  kind: z.literal('Deployment'),
  spec: z.object({
    replicas: z.number(),
    selector: z.object({ matchLabels: labels }),
    template: z.object({
      metadata: z.object({ labels }),
      spec: z.object({ terminationGracePeriodSeconds: z.number(), containers: z.tuple([container]) }),
    }),
  }),
});
const selectorSchema = z.object({
  kind: z.enum(['Service', 'PodDisruptionBudget']),
  spec: z.object({
    selector: labels.or(z.object({ matchLabels: labels })),
    minAvailable: z.number().optional(),
    ports: z.array(z.object({ targetPort: z.string() })).optional(),
  }),
});
const secretSchema = z.object({
  kind: z.literal('Secret'),
  metadata: z.object({ name: z.string() }),
  stringData: z.record(z.string(), z.string()),
});

const findAll = <Schema extends z.ZodType>(schema: Schema) =>
  resources.map((resource) => schema.safeParse(resource).data).filter((found) => found !== undefined);

const deployment = deploymentSchema.parse(findAll(deploymentSchema)[0]);
const [pod] = deployment.spec.template.spec.containers;
const secret = secretSchema.parse(findAll(secretSchema)[0]);

describe('deploy/kubernetes', () => {
  it('should have a Deployment, two Services, a disruption budget and a Secret', () => {
    const kinds = resources.map((resource) => z.object({ kind: z.string() }).parse(resource).kind);
    expect(kinds.sort()).toEqual(['Deployment', 'PodDisruptionBudget', 'Secret', 'Service', 'Service']);
  });

  it('should configure only variables that Keycard reads', () => {
    const variables = { ...Object.fromEntries(pod.env.map(({ name, value }) => [name, value])), ...secret.stringData };
    const documented = readFileSync('.env.example', 'utf8');
    for (const name of Object.keys(variables)) expect(documented).toMatch(new RegExp(`^# ${name}=`, 'm'));
    const values = { ...variables, JWT_SECRET: 'x'.repeat(32), ADMIN_PASSWORD: 'x'.repeat(12) };
    expect(readConfig(values)).toMatchObject({ metricsPort: 9090 });
    expect(pod.envFrom[0].secretRef.name).toBe(secret.metadata.name);
  });

  it('should give a pod longer to stop than its maximum, and a drain longer than readiness takes to fail', () => {
    const environment = Object.fromEntries(pod.env.map(({ name, value }) => [name, Number(value)]));
    const { DRAIN_SECONDS: drain = 0, STOP_SECONDS: stop = 0 } = environment;
    const { terminationGracePeriodSeconds } = deployment.spec.template.spec;
    expect(terminationGracePeriodSeconds).toBeGreaterThan(drain + stop + releaseMilliseconds / 1000);
    expect(drain).toBeGreaterThan(pod.readinessProbe.periodSeconds * pod.readinessProbe.failureThreshold);
  });

  it('should probe the health routes on a port that exists', () => {
    expect(pod.startupProbe.httpGet).toEqual({ path: '/health/live', port: 'http' });
    expect(pod.readinessProbe.httpGet).toEqual({ path: '/health/ready', port: 'http' });
    expect(pod.livenessProbe.httpGet).toEqual({ path: '/health/live', port: 'http' });
    expect(pod.ports).toContainEqual({ name: 'http', containerPort: 3000 });
    // Migrations may wait for locks for 10 minutes.
    expect(pod.startupProbe.periodSeconds * pod.startupProbe.failureThreshold).toBeGreaterThan(600);
  });

  it('should select the pods and their ports everywhere, and keep one of them during disruptions', () => {
    const { labels: own } = deployment.spec.template.metadata;
    expect(deployment.spec.selector.matchLabels).toEqual(own);
    const selectors = findAll(selectorSchema);
    expect(selectors).toHaveLength(3);
    for (const { spec } of selectors) {
      expect('matchLabels' in spec.selector ? spec.selector.matchLabels : spec.selector).toEqual(own);
      for (const { targetPort } of spec.ports ?? []) expect(pod.ports.map(({ name }) => name)).toContain(targetPort);
      if (spec.minAvailable !== undefined) expect(spec.minAvailable).toBeLessThan(deployment.spec.replicas);
    }
  });
});

describe('deploy/systemd/keycard.service', () => {
  const unit = readFileSync('deploy/systemd/keycard.service', 'utf8');
  const settingOf = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1];

  it('should give Keycard longer to stop than its maximum', () => {
    const { drainSeconds, stopSeconds } = readConfig({});
    expect(Number(settingOf('TimeoutStopSec'))).toBeGreaterThan(
      drainSeconds + stopSeconds + releaseMilliseconds / 1000,
    );
  });

  it('should run without privileges and with a read-only system', () => {
    expect(settingOf('CapabilityBoundingSet')).toBe('');
    expect(settingOf('NoNewPrivileges')).toBe('true');
    expect(settingOf('ProtectSystem')).toBe('strict');
    expect(settingOf('User')).toBe('keycard');
  });
});

describe('deploy/prometheus', () => {
  it('should scrape the port and evaluate the rules that exist', () => {
    const config = z
      .object({
        rule_files: z.array(z.string()),
        scrape_configs: z.tuple([
          z.object({ job_name: z.string(), dns_sd_configs: z.tuple([z.object({ port: z.number() })]) }),
        ]),
      })
      .parse(parse(readFileSync('deploy/prometheus/prometheus.yml', 'utf8')));
    expect(readdirSync('deploy/prometheus')).toEqual(expect.arrayContaining(config.rule_files));
    expect(config.scrape_configs[0]).toMatchObject({ job_name: 'keycard', dns_sd_configs: [{ port: 9090 }] });
    expect(readFileSync('docker-compose.yml', 'utf8')).toContain("METRICS_PORT: '9090'");
  });
});

describe('Every way to start Keycard', () => {
  it.each([
    'package.json',
    'Dockerfile',
    'deploy/systemd/keycard.service',
    'scripts/archive.mjs',
    'docs/operations.md',
  ])('should give V8 the same room for new objects: %s', (file) =>
    expect(readFileSync(file, 'utf8')).toContain('--max-semi-space-size=32'),
  );
});

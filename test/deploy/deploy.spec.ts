import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { releaseMilliseconds } from '../../src/startup/close-app.js';
import { readConfig } from '../../src/config/read-config.js';
import { complaintsOf, findProgram } from './installed-program.js';
import { problemsInResources } from './kubernetes-types.js';
import { bytesOf, maxReplicaBytes } from './memory.js';

const folder = 'deploy/kubernetes';
const readResources = (file: string) =>
  parseAllDocuments(readFileSync(path.join(folder, file), 'utf8')).map((document) => document.toJS() as unknown);
/** What `kubectl apply -f deploy/kubernetes` applies. */
const resources = readdirSync(folder)
  .filter((file) => file.endsWith('.yaml'))
  .flatMap(readResources);

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
  resources: z.object({ limits: z.object({ memory: z.string() }) }),
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
const ingressSchema = z.object({
  kind: z.literal('Ingress'),
  metadata: z.object({ annotations: z.record(z.string(), z.string()) }),
  spec: z.object({
    rules: z.tuple([
      z.object({
        host: z.string(),
        http: z.object({ paths: z.tuple([z.object({ backend: z.object({ service: z.unknown() }) })]) }),
      }),
    ]),
  }),
});
const backupSchema = z.object({ image: z.string(), args: z.tuple([z.string()]), envFrom: z.unknown() });
const cronJobSchema = z.object({
  kind: z.literal('CronJob'),
  spec: z.object({
    jobTemplate: z.object({
      spec: z.object({
        template: z.object({
          metadata: z.object({ labels }),
          spec: z.object({ containers: z.tuple([backupSchema]) }),
        }),
      }),
    }),
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
const [example] = readResources('examples/secret.yaml');
const secret = secretSchema.parse(example);

describe('deploy/kubernetes', () => {
  it("should match Kubernetes' types, which finds misspelled fields", () => {
    expect(problemsInResources([...resources, example])).toEqual([]);
    const misspelled = { apiVersion: 'v1', kind: 'Service', spec: { ports: [{ port: 80, targetport: 'http' }] } };
    expect(problemsInResources([misspelled])).toEqual([expect.stringContaining('targetport')]);
  });

  it('should apply everything but a Secret', () => {
    const kinds = resources.map((resource) => z.object({ kind: z.string() }).parse(resource).kind);
    expect(kinds.sort()).toEqual([
      'CronJob',
      'Deployment',
      'Ingress',
      'PersistentVolumeClaim',
      'PodDisruptionBudget',
      'Service',
      'Service',
    ]);
  });

  it('should have a Secret that Keycard refuses until it is changed', () => {
    for (const name of Object.keys(secret.stringData)) {
      expect(() => readConfig(secret.stringData)).toThrow(`${name} still has the placeholder REPLACE-ME.`);
    }
  });

  it('should cover the most memory that a replica uses', () => {
    expect(bytesOf(pod.resources.limits.memory)).toBeGreaterThanOrEqual(maxReplicaBytes);
  });

  it('should route to the Service through an Ingress with the limits of deploy/nginx/keycard.conf', () => {
    const ingress = ingressSchema.parse(findAll(ingressSchema)[0]);
    const nginx = readFileSync('deploy/nginx/keycard.conf', 'utf8');
    const annotations = Object.entries(ingress.metadata.annotations).map(([name, value]) => {
      const setting = name.replace('nginx.ingress.kubernetes.io/', '').replaceAll('-', '_');
      const directive = setting === 'proxy_body_size' ? 'client_max_body_size' : setting;
      return `${directive} ${value}${/_timeout$/.test(setting) ? 's' : ''};`;
    });
    expect(annotations.filter((directive) => !nginx.includes(directive))).toEqual([]);
    expect(annotations.map((directive) => directive.split(' ')[0])).toEqual(
      expect.arrayContaining(['client_max_body_size', 'proxy_request_buffering', 'proxy_read_timeout']),
    );
    const [rule] = ingress.spec.rules;
    const publicUrl = pod.env.find(({ name }) => name === 'PUBLIC_URL')?.value;
    expect(`https://${rule.host}`).toBe(publicUrl);
    expect(rule.http.paths[0].backend.service).toEqual({ name: 'keycard', port: { name: 'http' } });
  });

  it('should back up with the image and the Secret of the replicas, which the Service does not select', () => {
    const { template } = cronJobSchema.parse(findAll(cronJobSchema)[0]).spec.jobTemplate.spec;
    const [job] = template.spec.containers;
    expect([job.image, job.envFrom]).toEqual([pod.image, pod.envFrom]);
    expect(template.metadata.labels).not.toEqual(deployment.spec.template.metadata.labels);
    expect(job.args[0]).toMatch(/^node dist\/admin\.js backup "\/backups\//);
  });

  it('should configure only variables that Keycard reads', () => {
    const variables = { ...Object.fromEntries(pod.env.map(({ name, value }) => [name, value])), ...secret.stringData };
    const documented = readFileSync('.env.example', 'utf8');
    for (const name of Object.keys(variables)) expect(documented).toMatch(new RegExp(`^# ${name}=`, 'm'));
    const replaced = Object.entries(secret.stringData).map(([name, value]) => [
      name,
      value.replace('REPLACE-ME', '0'.repeat(64)),
    ]);
    const values = { ...variables, ...(Object.fromEntries(replaced) as object) };
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
    expect(selectors.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['Service', 'PodDisruptionBudget']));
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

  const systemdAnalyze = findProgram('systemd-analyze');
  if (systemdAnalyze !== undefined) {
    it('should satisfy systemd-analyze verify, which finds misspelled settings', () => {
      expect(complaintsOf(systemdAnalyze, ['verify', 'deploy/systemd/keycard.service'])).toBe('');
    });
  }

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

import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { parse } from 'yaml';
import { maxTimeoutSeconds } from '../../src/ai-gateway/models/models-file/generation-schema.js';
import { maxBodyBytes } from '../../src/ai-gateway/tasks/ocr/body/document-limit.js';
import { releaseMilliseconds } from '../../src/startup/close-app.js';
import { type ErrorCode, errorCatalog } from '../../src/common/errors/error-catalog.js';
import { defaultHttpLimits } from '../../src/common/http/http-limits.js';
import { readConfig } from '../../src/config/read-config.js';
import { aiError } from '../setup/ai-error.js';
import { makeTemporaryFolder } from '../setup/temporary-folder.js';
import { problemsInCompose } from './compose-schema.js';
import { runShell } from './installed-program.js';
import { bytesOf, maxReplicaBytes } from './memory.js';

interface Service {
  build?: string;
  user?: string;
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  mem_limit?: string;
  pids_limit?: number;
  stop_grace_period?: string;
  healthcheck?: { test: string[] };
  environment?: Record<string, string>;
  ports?: string[];
  profiles?: string[];
  configs?: { source: string }[];
  volumes?: string[];
}

interface Compose {
  services: Record<string, Service> & Record<'keycard' | 'proxy' | 'postgres', Service>;
  configs?: Record<string, { content?: string }>;
}

const text = readFileSync('docker-compose.yml', 'utf8');
const compose = parse(text, { merge: true }) as Compose;
const { keycard, proxy } = compose.services;
const nginx = readFileSync('deploy/nginx/keycard.conf', 'utf8');

/** Returns the value of an nginx directive that occurs once. */
function directive(name: string): string {
  const values = [...nginx.matchAll(new RegExp(`^\\s*${name} (.+);$`, 'gm'))].map(([, value]) => value ?? '');
  expect(values).toHaveLength(1);
  return values[0] ?? '';
}

const secondsOf = (duration = '') => Number(/^(\d+)s$/.exec(duration)?.[1]);
const megabytesOf = (size: string) => Number(/^(\d+)m$/.exec(size)?.[1]);

describe('docker-compose.yml', () => {
  it('should match the Compose Specification, which finds misspelled fields', () => {
    expect(problemsInCompose(compose)).toEqual([]);
    const misspelled = { ...compose, services: { keycard: { ...keycard, mem_limt: '1g' } } };
    expect(problemsInCompose(misspelled)).toEqual([expect.stringContaining('mem_limt')]);
  });

  it('should mount only files that exist, and no inline configuration, which needs a writable root', () => {
    const services = Object.values(compose.services);
    const sources = services.flatMap(({ volumes = [] }) => volumes.map((volume) => volume.split(':', 1)[0] ?? ''));
    const files = sources.filter((source) => source.startsWith('.'));
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
    // A container may mount a folder only if none of its files is for this machine.
    expect(files.filter((file) => statSync(file).isDirectory())).toEqual(['./deploy/prometheus']);
    const inline = services.flatMap(({ read_only: isReadOnly, configs = [] }) =>
      configs.filter(({ source }) => isReadOnly === true && compose.configs?.[source]?.content !== undefined),
    );
    expect(inline).toEqual([]);
  });

  it('should cover the most memory that a replica uses', () => {
    expect(bytesOf(keycard.mem_limit ?? '')).toBeGreaterThanOrEqual(maxReplicaBytes);
  });

  it('should need no variables but those that its first lines write to .env', async () => {
    const folder = await makeTemporaryFolder();
    const commands = [...text.matchAll(/^# {3}(.*)$/gm)].map(([, command = '']) => command);
    runShell(commands.filter((command) => !command.startsWith('docker ')).join('\n'), folder.path);
    const file = path.join(folder.path, '.env');
    const written = parseEnv(readFileSync(file, 'utf8'));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await folder.remove();
    const required = [...text.matchAll(/\$\{(\w+)(?::\?[^}]*)?\}/g)].map(([, name = '']) => name);
    expect(Object.keys(written)).toEqual(expect.arrayContaining(required));
    expect(Object.keys(written).filter((name) => !text.includes(`\${${name}:`))).toEqual([]);
    for (const value of Object.values(written)) expect(value).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each(Object.entries(compose.services))(
    'should run %s with a read-only root, bounded memory and processes, and no-new-privileges',
    (_name, service) => {
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        mem_limit: expect.stringMatching(/^\d+[mg]$/) as string,
        pids_limit: expect.any(Number) as number,
      });
    },
  );

  it('should grant Keycard only the capabilities to change users, and the proxy none', () => {
    expect(keycard.cap_add).toEqual(['SETUID', 'SETGID', 'KILL']);
    expect(proxy.cap_add).toBeUndefined();
  });

  it('should check the health of each service', () => {
    const image = readFileSync('Dockerfile', 'utf8');
    for (const { build, healthcheck } of Object.values(compose.services)) {
      if (build === undefined) expect(healthcheck?.test[0]).toBe('CMD');
      else expect(image).toMatch(/^HEALTHCHECK .*\n.*\/health\/ready/m);
    }
  });

  it('should publish only the proxy, and with the profile for monitoring its tools, on loopback by default', () => {
    const ports = Object.values(compose.services).flatMap((service) => service.ports ?? []);
    expect(ports).toEqual([
      '${KEYCARD_ADDRESS:-127.0.0.1}:${KEYCARD_PORT:-8080}:8080',
      '127.0.0.1:9091:9090',
      '127.0.0.1:3001:3000',
    ]);
    const { prometheus, grafana } = compose.services;
    for (const service of [prometheus, grafana]) expect(service?.profiles).toEqual(['monitoring']);
  });

  it('should give Keycard longer to stop than its maximum', () => {
    const { drainSeconds, stopSeconds } = readConfig({});
    const maxStopSeconds = drainSeconds + stopSeconds + releaseMilliseconds / 1000;
    expect(secondsOf(keycard.stop_grace_period)).toBeGreaterThan(maxStopSeconds);
    expect(secondsOf(proxy.stop_grace_period)).toBeGreaterThan(maxStopSeconds);
  });
});

describe('deploy/nginx/keycard.conf', () => {
  it('should leave body size limits to Keycard', () => {
    const megabytes = megabytesOf(directive('client_max_body_size'));
    expect(megabytes * 1024 * 1024).toBeGreaterThan(maxBodyBytes);
    expect(directive('proxy_request_buffering')).toBe('off');
  });

  it('should use longer timeouts than Keycard', () => {
    const maxRequestSeconds = defaultHttpLimits.requestMilliseconds / 1000;
    expect(secondsOf(directive('proxy_send_timeout'))).toBeGreaterThan(maxRequestSeconds);
    expect(secondsOf(directive('proxy_read_timeout'))).toBeGreaterThan(maxTimeoutSeconds);
  });

  it('should overwrite forwarded headers, keep the port, and set PUBLIC_URL', () => {
    const headers = Object.fromEntries(
      [...nginx.matchAll(/^\s*proxy_set_header (\S+) (.+);$/gm)].map(([, name = '', value]) => [name, value]),
    );
    expect(headers).toMatchObject({
      Host: '$http_host',
      Forwarded: '""',
      'X-Forwarded-For': '$remote_addr',
      'X-Forwarded-Host': '$http_host',
      'X-Forwarded-Proto': '$scheme',
    });
    expect(keycard.environment).toMatchObject({
      PUBLIC_URL: '${PUBLIC_URL:-http://localhost:${KEYCARD_PORT:-8080}}',
      TRUST_PROXY: '1',
    });
  });

  describe('error responses', () => {
    const returned = [...nginx.matchAll(/location = \/errors\/(\w+)\/([\w-]+) \{[^}]*return (\d+) '(.*)';/g)];
    const bodiesOf = (format: string) =>
      returned
        .filter(([, of]) => of === format)
        .map(([, , code = '', status, body = '']): [ErrorCode, number, unknown] => [
          code as ErrorCode,
          Number(status),
          JSON.parse(body),
        ]);

    it('should exist in both formats for every status nginx itself returns', () => {
      const pages = [...nginx.matchAll(/error_page .* \/errors\/\$keycard_errors\/([\w-]+);/g)].map(([, code]) => code);
      expect(pages.length).toBeGreaterThan(0);
      for (const format of ['problem', 'openai']) expect(bodiesOf(format).map(([code]) => code)).toEqual(pages);
    });

    it.each(bodiesOf('problem'))('should match the error catalog as problem details: %s', (code, status, body) => {
      expect(status).toBe(errorCatalog[code].status);
      expect(body).toEqual({
        type: `urn:keycard:error:${code}`,
        title: errorCatalog[code].title,
        status,
        detail: expect.any(String) as string,
        code,
        requestId: '$keycard_request_id',
      });
    });

    it.each(bodiesOf('openai'))(
      "should match the error catalog in OpenAI's and Mistral's format: %s",
      (code, status, body) => {
        const { status: expected, openAi } = errorCatalog[code];
        expect(status).toBe(expected);
        expect(body).toEqual(aiError({ message: expect.any(String) as string, ...openAi, param: null }));
      },
    );
  });
});

describe('The Docker image', () => {
  it('should copy only what .dockerignore includes', () => {
    const included: string[] = readFileSync('.dockerignore', 'utf8').match(/(?<=^!).+$/gm) ?? [];
    const copies: string[] = readFileSync('Dockerfile', 'utf8').match(/(?<=^COPY )(?!--from).+$/gm) ?? [];
    const sources = copies.flatMap((copy) => copy.split(' ').slice(0, -1));
    expect(sources.length).toBeGreaterThan(0);
    const isIncluded = (source: string) => included.some((one) => source === one || source.startsWith(`${one}/`));
    expect(sources.filter((source) => !isIncluded(source))).toEqual([]);
  });

  it('should install the checksummed packages of package-lock.json', () => {
    expect(readFileSync('Dockerfile', 'utf8')).toMatch(/^RUN npm ci --omit=dev$/m);
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
      packages: Record<string, { integrity?: string; link?: boolean }>;
    };
    const unchecked = Object.entries(packages).filter(
      ([folder, { integrity, link }]) => folder.startsWith('node_modules/') && link !== true && !integrity,
    );
    expect(unchecked).toEqual([]);
  });
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { StartupError } from '../../common/startup-error.js';
import { readSinksFile } from './read-sinks-file.js';

const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'keycard-sinks-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function read(yaml: string, secrets: Record<string, string> = { SECRET: secret }) {
  const file = path.join(folder, 'sinks.yaml');
  writeFileSync(file, yaml);
  return readSinksFile(file, { readSecret: (name) => secrets[name] });
}

/** The problems that are reported, without the name of the file. */
function problemsOf(yaml: string, secrets?: Record<string, string>): string[] {
  try {
    read(yaml, secrets);
  } catch (error) {
    if (error instanceof StartupError) return error.message.split('\n  sinks.yaml: ').slice(1);
    throw error;
  }
  return [];
}

describe('readSinksFile', () => {
  it('should read a sink of each type, with defaults', () => {
    const certificates = '-----BEGIN CERTIFICATE-----\n';
    writeFileSync(path.join(folder, 'ca.pem'), certificates);
    const sinks = read(`
      sinks:
        - { name: siem, type: https, url: 'https://siem.example.com/a?b=c', secretEnv: SECRET }
        - { name: archive, type: s3, bucket: audit }
        - { name: logs, type: syslog, host: logs.example.com, caFile: ca.pem }
        - { name: disk, type: file, path: audit.jsonl }`);
    expect(sinks).toEqual([
      { name: 'siem', type: 'https', url: 'https://siem.example.com/a?b=c', secret },
      { name: 'archive', type: 's3', bucket: 'audit', region: 'us-east-1', prefix: '', everySeconds: 60 },
      { name: 'logs', type: 'syslog', host: 'logs.example.com', port: 6514, ca: certificates },
      { name: 'disk', type: 'file', path: path.join(folder, 'audit.jsonl') },
    ]);
  });

  it('should read each example of docs/audit.md', () => {
    const secrets = { SIEM_SECRET: secret, ARCHIVE_ACCESS_KEY_ID: 'a', ARCHIVE_SECRET_ACCESS_KEY: 'b' };
    const examples = [...readFileSync('docs/audit.md', 'utf8').matchAll(/^```yaml\n([\s\S]*?)^```$/gm)];
    expect(examples.map(([, yaml = '']) => read(yaml, secrets).length)).toEqual([1, 4]);
  });

  it.each([
    ['sinks: []', 'sinks must be a list with at least one item'],
    ['sinks: [{ name: a, type: ftp }]', 'sinks[0].type must be one of https, s3, syslog, file'],
    [
      'sinks: [{ name: A, type: file, path: x }]',
      'sinks[0].name must be 1 to 50 lowercase letters, digits, and hyphens',
    ],
    [
      'sinks: [{ name: a, type: file, path: x, mode: 1 }]',
      'sinks[0].mode is unknown; known fields are name, type, path',
    ],
    ['sinks: [{ name: a, type: file, path: x }, { name: a, type: file, path: y }]', 'sinks must have different names'],
    ['sinks: [{ name: a, type: syslog, host: x, port: 0 }]', 'sinks[0].port must be a whole number from 1 to 65535'],
    [
      'sinks: [{ name: a, type: syslog, host: x, caFile: none }]',
      'sinks[0].caFile must be a file that Keycard can read',
    ],
    [
      "sinks: [{ name: a, type: https, url: 'http://siem.example.com', secretEnv: SECRET }]",
      'sinks[0].url must be an https URL (http on loopback only), without credentials or fragment',
    ],
    [
      "sinks: [{ name: a, type: https, url: 'https://x', secretEnv: MISSING }]",
      'sinks[0].secretEnv is MISSING, and this environment variable is not set',
    ],
    [
      `sinks: [{ name: a, type: https, url: 'https://x', secretEnv: ${secret} }]`,
      'sinks[0].secretEnv must be the name of an environment variable in uppercase, such as AUDIT_SINK_SECRET (the name, not the secret itself)',
    ],
    [
      'sinks: [{ name: a, type: s3, bucket: x, accessKeyIdEnv: SECRET }]',
      'sinks[0].accessKeyIdEnv and secretAccessKeyEnv must be set together',
    ],
  ])('should reject %s', (yaml, problem) => {
    expect(problemsOf(yaml)).toEqual([problem]);
  });

  it('should reject a weak secret without quoting it', () => {
    const yaml = "sinks: [{ name: a, type: https, url: 'https://x', secretEnv: SECRET }]";
    expect(problemsOf(yaml, { SECRET: 'whsec_short' })).toEqual([
      'sinks[0].secretEnv is SECRET, whose value must be whsec_ and 24 to 64 random bytes in base64',
    ]);
  });
});

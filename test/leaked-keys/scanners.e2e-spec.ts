import { execFile, spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import { generateApiKey } from '../../src/api-keys/api-key.token.js';
import { clientSecretFormat } from '../../src/service-accounts/client-secret.js';
import { readBlocks } from '../documented-commands/read-blocks.js';
import { makeTemporaryFolder, type TemporaryFolder } from '../setup/temporary-folder.js';

const run = promisify(execFile);
const folder = path.resolve('docs/examples');
const example = 'kc_EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXAM';

interface GitleaksRule {
  id: string;
  description: string;
  regex: string;
  keywords: string[];
  entropy: number;
}

interface TrufflehogDetector {
  name: string;
  keywords: string[];
  regex: Record<string, string>;
}

const gitleaks = parseToml(readFileSync(path.join(folder, 'gitleaks.toml'), 'utf8')) as unknown as {
  extend: unknown;
  rules: GitleaksRule[];
};
const trufflehog = parseYaml(readFileSync(path.join(folder, 'trufflehog.yaml'), 'utf8')) as {
  detectors: TrufflehogDetector[];
};
const documented = readBlocks('docs/leaked-keys.md');
const textOf = (language: string) => documented.find((block) => block.language === language)?.text.trim() ?? '';

/** What each document finds keys and client secrets with. */
const patterns: [name: string, key: RegExp, secret: RegExp][] = [
  ['gitleaks', ...toPair(gitleaks.rules.map(({ regex }) => regex))],
  ['TruffleHog', ...toPair(trufflehog.detectors.flatMap(({ regex }) => Object.values(regex)))],
  ['the documented pattern', ...toPair([textOf('text'), textOf('text').replace('kc_', 'kcs_')])],
];

function toPair([key = '', secret = '']: string[]): [RegExp, RegExp] {
  return [new RegExp(key, 'g'), new RegExp(secret, 'g')];
}

const matchesOf = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1] ?? match[0]);

const isInstalled = (program: string) => spawnSync(program, ['--version']).error === undefined;

/** Shannon entropy in bits per character, as gitleaks computes it. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  const shares = [...counts.values()].map((count) => count / text.length);
  return -shares.reduce((sum, share) => sum + share * Math.log2(share), 0);
}

describe.each(patterns)('The regular expression of %s', (_name, keyPattern, secretPattern) => {
  it('should find every key, wherever it is', () => {
    for (let round = 0; round < 1000; round++) {
      const key = generateApiKey();
      for (const text of [
        key,
        `KEY=${key}`,
        `"${key}"`,
        `(${key})\n`,
        `Bearer ${key};`,
        `https://x.example/?k=${key}&a=b`,
      ]) {
        expect(matchesOf(text, keyPattern)).toEqual([key]);
        expect(matchesOf(text, secretPattern)).toEqual([]);
      }
    }
  });

  it('should find every client secret', () => {
    const secret = clientSecretFormat.generate();
    expect(matchesOf(`"${secret}"`, secretPattern)).toEqual([secret]);
    expect(matchesOf(`"${secret}"`, keyPattern)).toEqual([]);
  });

  it('should not find what only resembles a key', () => {
    const key = generateApiKey();
    for (const text of [
      key.slice(1),
      key.slice(0, -1),
      `${key}x`,
      `x${key}`,
      `_${key}`,
      key.replace('kc_', 'kc-'),
      'kc_',
    ]) {
      expect(matchesOf(text, keyPattern)).toEqual([]);
    }
    expect(matchesOf(key.toUpperCase(), keyPattern)).toEqual([]);
  });
});

describe('docs/examples/gitleaks.toml', () => {
  it('should have what gitleaks requires of a rule, and keep its own rules', () => {
    expect(gitleaks.extend).toEqual({ useDefault: true });
    for (const { id, description, keywords } of gitleaks.rules) {
      expect(id).toMatch(/^[a-z-]+$/);
      expect(description).not.toBe('');
      // gitleaks only searches files that contain one in lower case.
      expect(keywords).toEqual([expect.stringMatching(/^[a-z_]+$/)]);
    }
    expect(new Set(gitleaks.rules.map(({ id }) => id)).size).toBe(gitleaks.rules.length);
  });

  it('should set an entropy that keys have, and the examples of the documents do not', () => {
    const [rule] = gitleaks.rules;
    const lowest = Math.min(...Array.from({ length: 10_000 }, () => entropyOf(generateApiKey())));
    expect(lowest).toBeGreaterThan(rule?.entropy ?? Infinity);
    expect(entropyOf(example)).toBeLessThan(rule?.entropy ?? 0);
  });
});

describe('docs/examples/trufflehog.yaml', () => {
  it('should have what TruffleHog requires of a detector', () => {
    for (const { name, keywords, regex } of trufflehog.detectors) {
      expect(name).not.toBe('');
      expect(keywords).toHaveLength(1);
      // TruffleHog reports the first group.
      for (const pattern of Object.values(regex)) expect(pattern.match(/\((?!\?)/g)).toHaveLength(1);
    }
  });
});

describe('The checksum in docs/leaked-keys.md', () => {
  it('should accept every key, and nothing else', async () => {
    if (!isInstalled('python3')) return;
    const keys = Array.from({ length: 200 }, generateApiKey);
    const others = [example, '', 'kc_', ...keys.map((key) => key.slice(0, -1) + (key.endsWith('0') ? '1' : '0'))];
    const program = `${textOf('python')}\nimport sys, json\nprint(json.dumps([is_key(text) for text in json.loads(sys.argv[1])]))`;
    const { stdout } = await run('python3', ['-c', program, JSON.stringify([...keys, ...others])]);
    expect(JSON.parse(stdout)).toEqual([...keys.map(() => true), ...others.map(() => false)]);
  });
});

/** Makes a repository with a key and an example in it. */
async function makeRepository(key: string): Promise<TemporaryFolder> {
  const repository = await makeTemporaryFolder();
  const git = (...parameters: string[]) => run('git', ['-C', repository.path, ...parameters]);
  copyFileSync(path.join(folder, 'gitleaks.toml'), path.join(repository.path, 'gitleaks.toml'));
  copyFileSync(path.join(folder, 'trufflehog.yaml'), path.join(repository.path, 'trufflehog.yaml'));
  await git('init', '-q');
  writeFileSync(path.join(repository.path, 'settings.env'), `KEYCARD_API_KEY=${key}\nEXAMPLE=${example}\n`);
  await git('add', 'settings.env');
  await git('-c', 'user.name=x', '-c', 'user.email=x@example.com', 'commit', '-qm', 'Add settings');
  return repository;
}

describe('An installed scanner', () => {
  const commands = documented.filter(({ reason }) => reason?.includes('scanners') === true).map(({ text }) => text);

  it.each(['gitleaks', 'trufflehog'])('should find a key with the documented command: %s', async (program) => {
    const command = commands.find((text) => text.startsWith(program));
    expect(command).toBeDefined();
    if (!isInstalled(program)) return;
    const key = generateApiKey();
    const repository = await makeRepository(key);
    try {
      await run('sh', ['-c', command ?? ''], { cwd: repository.path }).catch(() => undefined);
      const report = readFileSync(
        path.join(repository.path, program === 'gitleaks' ? 'leaks.json' : 'leaks.jsonl'),
        'utf8',
      );
      expect(report).toContain(key);
    } finally {
      await repository.remove();
    }
  });
});

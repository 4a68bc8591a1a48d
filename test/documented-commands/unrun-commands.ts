import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { parseArguments } from '../../src/admin/parse-arguments.js';

/** Names that commands use. */
interface Names {
  services: string[];
  /** Such as `deployment/keycard`. */
  resources: string[];
}

export function readNames(): Names {
  const compose = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true }) as { services: object };
  const files = readdirSync('deploy/kubernetes').filter((file) => file.endsWith('.yaml'));
  const resources = files.flatMap((file) =>
    parseAllDocuments(readFileSync(path.join('deploy/kubernetes', file), 'utf8')).map((document) => {
      const { kind, metadata } = document.toJS() as { kind: string; metadata: { name: string } };
      return `${kind.toLowerCase()}/${metadata.name}`;
    }),
  );
  return { services: Object.keys(compose.services), resources };
}

/** Options of `docker compose` commands, without values. */
const composeCommand =
  /docker compose (?:exec|run|stop)(?: -T| --rm| --no-deps| --user \w+)* ([a-z -]+?)(?= sh| npm| psql|$)/gm;

/** Returns what is wrong with commands that can't be run here: wrong admin commands, services or resources. */
export function problemsIn(commands: string, { services, resources }: Names): string[] {
  const joined = commands.replaceAll('\\\n', '');
  const admin = [
    ...joined.matchAll(/(?:npm run (?:--silent )?admin --|keycard-admin|dist\/admin\.js) ([\w-][^'"&;|)#<>\n]*)/g),
  ];
  const used = [...joined.matchAll(composeCommand)].flatMap(([, names = '']) => names.trim().split(' '));
  const named = [...joined.matchAll(/kubectl .*?\b((?:deployment|cronjob|service)\/[\w-]+)/g)].map(
    ([, name = '']) => name,
  );
  return [
    ...admin.flatMap(([, words = '']) => mistakeOf(words.trim().split(/\s+/))),
    ...used.filter((name) => !services.includes(name)).map((name) => `Compose has no service ${name}.`),
    ...named.filter((name) => !resources.includes(name)).map((name) => `deploy/kubernetes has no ${name}.`),
  ];
}

function mistakeOf(words: string[]): string[] {
  try {
    parseArguments(words);
    return [];
  } catch (error) {
    return [`${words.join(' ')}: ${String(error)}`];
  }
}

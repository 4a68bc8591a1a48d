import { readFileSync } from 'node:fs';

/** One instruction of a Dockerfile, such as `COPY` with `src src`. */
export interface Instruction {
  name: string;
  text: string;
}

/** A stage: what follows one `FROM`. */
export interface Stage {
  name: string;
  base: string;
  instructions: Instruction[];
}

/** Returns the stages of a Dockerfile, with lines joined and comments removed. */
export function readDockerfile(file: string): Stage[] {
  const lines = readFileSync(file, 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '');
  const stages: Stage[] = [];
  for (const line of lines) {
    const [, name = '', text = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (name === '') throw new Error(`Not an instruction: ${line}`);
    if (name === 'FROM') {
      const [base = '', , stage = String(stages.length)] = text.split(' ');
      stages.push({ name: stage, base, instructions: [] });
    } else stages.at(-1)?.instructions.push({ name, text });
  }
  return stages;
}

/** Returns the texts of a stage's instructions with this name. */
export function textsOf({ instructions }: Stage, name: string): string[] {
  return instructions.filter((one) => one.name === name).map(({ text }) => text);
}

/** Returns the arguments of the last `CMD`, `ENTRYPOINT` or `HEALTHCHECK`, which must be a JSON array. */
export function argumentsOf(stage: Stage, name: string): string[] {
  const text = textsOf(stage, name).at(-1) ?? '';
  return JSON.parse(text.slice(text.indexOf('['))) as string[];
}

/** Returns the variables that a stage sets with `ENV`. */
export function environmentOf(stage: Stage): Record<string, string> {
  const settings = textsOf(stage, 'ENV').flatMap((text) => text.split(' '));
  return Object.fromEntries(settings.map((setting) => setting.split('=', 2) as [string, string]));
}

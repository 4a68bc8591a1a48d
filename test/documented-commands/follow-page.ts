import { spawnSync } from 'node:child_process';
import { parseEnv } from 'node:util';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readConfig } from '../../src/config/read-config.js';
import type { Page, Place, Step } from './page.js';
import { type Block, readBlocks } from './read-blocks.js';
import type { Outcome } from './terminal.js';

/** The languages of blocks that a reader runs, and how. */
const runners: Record<string, (block: string, place: Place) => Promise<Outcome>> = {
  sh: (block, { terminal }) => terminal.run(block),
  js: async (block, { terminal, folder }) => {
    await writeFile(path.join(folder, 'example.mjs'), block);
    return terminal.run('node example.mjs');
  },
  // The table of the system's cron: the command is after the five fields of the time, and % is a line break.
  crontab: (block, { terminal }) => terminal.run(block.replaceAll(/^(\S+ ){5}/gm, '').replaceAll(String.raw`\%`, '%')),
  sql: async (block, { query }) => {
    if (query === undefined) throw new Error('The page has no database.');
    return { status: 0, printed: JSON.stringify(await query(block)), errors: '', responses: [] };
  },
  dotenv: (block) => {
    // A part of `.env`, which has this as well.
    readConfig({ JWT_SECRET: 'a secret of 32 bytes, or of more', ...parseEnv(block) });
    return Promise.resolve({ status: 0, printed: '', errors: '', responses: [] });
  },
};

export const isCommand = ({ language }: Block) => language in runners;

/** Returns the blocks of a page that are run. */
export const runBlocks = (file: string) =>
  readBlocks(file).filter((block) => isCommand(block) && block.reason === undefined);

/** Programs of blocks that a machine may not have. */
const programs = ['curl', 'git', 'jq', 'openssl', 'psql'];

const isInstalled = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

/**
 * Runs the blocks of a page and checks what each of them does.
 *
 * @returns the first program that the page needs and the machine lacks; then, no block ran
 */
export async function followPage({ file, open, steps }: Page): Promise<string | undefined> {
  const blocks = runBlocks(file);
  const commands = blocks.map(({ text }) => text).join('');
  const missing = programs.find((name) => new RegExp(`\\b${name}\\s`).test(commands) && !isInstalled(name));
  if (missing !== undefined) return missing;
  const place = await open();
  try {
    for (const [index, block] of blocks.entries()) await take(block, steps[index] ?? {}, place);
  } finally {
    await place.remove();
  }
  return undefined;
}

async function take(block: Block, step: Step, place: Place): Promise<void> {
  const { before, after, responses = [], status = 0, prints = /(?:)/ } = step;
  await before?.(place);
  const outcome = await runners[block.language]?.(replace(block.text, place.replaced), place);
  const text = `${outcome?.printed}${outcome?.errors}`;
  const where = `${block.file}:${block.line}`;
  // A response with a vector would hide the others.
  const shown = prints.test(text) ? 'as expected' : text.slice(0, 3000);
  expect({ where, status: outcome?.status, responses: outcome?.responses, text: shown }).toEqual({
    where,
    status,
    responses,
    text: 'as expected',
  });
  await after?.(place);
}

function replace(text: string, replaced: Place['replaced']): string {
  return Object.entries(replaced).reduce((result, [from, to]) => result.replaceAll(from, to), text);
}

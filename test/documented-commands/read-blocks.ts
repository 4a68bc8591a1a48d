import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A fenced block of a document. */
export interface Block {
  file: string;
  /** Of its first fence. */
  line: number;
  language: string;
  text: string;
  /** Why it isn't run, from the comment before it. */
  reason: string | undefined;
}

const listBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file));

/** The documents that operators and contributors follow. */
export const documents = [
  'README.md',
  'CONTRIBUTING.md',
  ...['docs', 'deploy', 'document-reader', 'src'].flatMap(listBelow),
]
  .filter((file) => file.endsWith('.md'))
  .sort();

const fence = /^( *)```([\w-]*)$/;
const mark = /^ *<!-- not run: (.+) -->$/;

/** Returns the blocks of a document, without the indentation of the list they are in. */
export function readBlocks(file: string): Block[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  const blocks: Block[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const [, indentation = '', language = ''] = fence.exec(lines[index] ?? '') ?? [];
    if (language === '') continue;
    const end = lines.indexOf(`${indentation}\`\`\``, index);
    const text = lines.slice(index + 1, end).map((line) => line.slice(indentation.length));
    const before = lines.slice(0, index).findLast((line) => line.trim() !== '') ?? '';
    blocks.push({ file, line: index + 1, language, text: `${text.join('\n')}\n`, reason: mark.exec(before)?.[1] });
    index = end;
  }
  return blocks;
}

/** Returns the commands in the comments of a file, which are indented by three spaces. */
export function readCommentedCommands(file: string): string {
  return [...readFileSync(file, 'utf8').matchAll(/^# {3}(.+)$/gm)].map(([, line = '']) => `${line}\n`).join('');
}

import type { WordConfidence } from '../../ocr-engine.js';
import { maxPageMarkdownLength } from '../limits.js';
import { PageFailure, type TextWord } from '../page.js';
import { type Block, isBullet, type ParagraphLine, type Table } from './blocks.js';

/** Collects Markdown and the position of each word in it. */
export class MarkdownWriter {
  /** Finished blocks, each with a blank line after it. They're joined only at the end, which takes linear time. */
  private readonly blocks: string[] = [];
  private blocksLength = 0;
  private block = '';
  private readonly words: WordConfidence[] = [];

  constructor(private readonly maxLength = maxPageMarkdownLength) {}

  /**
   * Adds text that isn't a word of the page.
   *
   * @throws PageFailure if the page gets too long
   */
  write(text: string): void {
    if (this.length + text.length > this.maxLength) {
      throw new PageFailure(`has more than ${this.maxLength} characters of Markdown.`);
    }
    this.block += text;
  }

  /** Adds words, separated by spaces. */
  writeWords(words: readonly TextWord[]): void {
    words.forEach(({ text, confidence }, index) => {
      if (index > 0) this.write(' ');
      this.words.push({ text, confidence, startIndex: this.length });
      this.write(text);
    });
  }

  /** Starts a new block after a blank line. */
  startBlock(): void {
    const block = this.block.trimEnd();
    this.block = '';
    if (block === '') return;
    this.blocks.push(`${block}\n\n`);
    this.blocksLength += block.length + 2;
  }

  finish(): { markdown: string; words: WordConfidence[] } {
    return { markdown: (this.blocks.join('') + this.block).trimEnd(), words: this.words };
  }

  private get length(): number {
    return this.blocksLength + this.block.length;
  }
}

/** Writes the blocks of a region. */
export function writeBlocks(writer: MarkdownWriter, blocks: readonly Block[]): void {
  blocks.forEach((block, index) => {
    const continuesList = block.kind === 'list-item' && blocks[index - 1]?.kind === 'list-item';
    if (continuesList) writer.write('\n');
    else writer.startBlock();
    if (block.kind === 'table') writeTable(writer, block);
    else writeLines(writer, block.kind === 'list-item' ? withMarkdownBullet(block.lines) : block.lines);
  });
}

function writeTable(writer: MarkdownWriter, { rows }: Table): void {
  rows.forEach((row, index) => {
    for (const cell of row) {
      writer.write('| ');
      writer.writeWords(cell?.words ?? []);
      writer.write(' ');
    }
    writer.write('|\n');
    if (index === 0) writer.write(`${row.map(() => '| --- ').join('')}|\n`);
  });
}

/** Replaces any bullet with a hyphen. Markdown supports few of the others. */
function withMarkdownBullet([line, ...others]: readonly ParagraphLine[]): readonly ParagraphLine[] {
  const [bullet, ...words] = line?.words ?? [];
  if (line === undefined || bullet === undefined) return others;
  if (!isBullet(bullet.text)) return [line, ...others];
  return [{ ...line, words: [{ ...bullet, text: '-' }, ...words] }, ...others];
}

/** Writes lines as flowing text, and joins hyphenated words. */
function writeLines(writer: MarkdownWriter, lines: readonly ParagraphLine[]): void {
  let firstHalf: TextWord | undefined;
  lines.forEach(({ words, startsNewLine }, index) => {
    const [first, ...others] = words;
    if (first === undefined) return;
    if (index > 0 && firstHalf === undefined) writer.write(startsNewLine ? '\n' : ' ');
    const line = firstHalf === undefined ? words : [joinHalves(firstHalf, first), ...others];
    const last = line.at(-1);
    const next = lines[index + 1]?.words[0];
    firstHalf = isHyphenated(last, next) ? last : undefined;
    const complete = firstHalf === undefined ? line : line.slice(0, -1);
    writer.writeWords(complete);
    if (firstHalf !== undefined && complete.length > 0) writer.write(' ');
  });
}

/** A word that ends with its only hyphen, after at least two letters. */
const hyphenatedPattern = /^[^-]*\p{L}{2}-$/u;

function isHyphenated(word: TextWord | undefined, next: TextWord | undefined): word is TextWord {
  return word !== undefined && next !== undefined && hyphenatedPattern.test(word.text) && /^\p{Ll}/u.test(next.text);
}

function joinHalves(first: TextWord, second: TextWord): TextWord {
  const confidence = Math.min(first.confidence, second.confidence);
  return { text: first.text.slice(0, -1) + second.text, confidence, box: second.box };
}

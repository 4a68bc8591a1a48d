import type { WordConfidence } from '../read-page.js';
import { maxPageMarkdownLength } from '../limits.js';
import { PageFailure, type TextLine, type TextWord } from '../page.js';
import { type Block, isBullet, type ListItem, type ParagraphLine } from './blocks.js';
import type { Table } from './tables.js';

/** Collects Markdown and the position of each word in it. */
export class MarkdownWriter {
  /** Finished blocks, each with a blank line after it. They're joined only at the end, which takes linear time. */
  private readonly blocks: string[] = [];
  private blocksLength = 0;
  private block = '';
  private readonly words: WordConfidence[] = [];
  private readonly figures: { index: number; position: number }[] = [];

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

  /** Adds words, separated by spaces where their script has them. Escapes them if they would start markup there. */
  writeWords(words: readonly TextWord[]): void {
    words.forEach(({ text, confidence }, index) => {
      if (index > 0) this.write(spaceBetween(words[index - 1], words[index]));
      if (startsMarkup(text, this.isAtLineStart())) this.write('\\');
      this.words.push({ text, confidence, startIndex: this.length });
      this.write(text);
    });
  }

  /** Adds a bullet or number of a list item, and the space after it. */
  writeMarker({ text, confidence }: TextWord): void {
    this.words.push({ text, confidence, startIndex: this.length });
    this.write(`${text} `);
  }

  /** Starts a new block after a blank line, and returns its position. */
  startBlock(): number {
    const block = this.block.trimEnd();
    this.block = '';
    if (block !== '') {
      this.blocks.push(`${block}\n\n`);
      this.blocksLength += block.length + 2;
    }
    return this.blocksLength;
  }

  /** Notes where a picture belongs, which isn't part of the text yet. */
  addFigure(index: number): void {
    this.figures.push({ index, position: this.startBlock() });
  }

  finish() {
    const { words, figures } = this;
    return { markdown: (this.blocks.join('') + this.block).trimEnd(), words, figures };
  }

  private get length(): number {
    return this.blocksLength + this.block.length;
  }

  private isAtLineStart(): boolean {
    return this.block === '' || this.block.endsWith('\n');
  }
}

/** Chinese and Japanese, which have no spaces between words, and their punctuation. */
const unspaced = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u3000-\\u303f\\uff00-\\uffef]';
const unspacedPair = new RegExp(`${unspaced}\\n${unspaced}`, 'u');

function spaceBetween(first: TextWord | undefined, second: TextWord | undefined): string {
  return unspacedPair.test(`${first?.text ?? ''}\n${second?.text ?? ''}`) ? '' : ' ';
}

/** Emphasis, code and HTML tags. */
const inlineMarkup = /^([*_`]+[^*_`]|<[\p{L}!?/])/u;
/** Headings, quotations, rules, underlines of headings, and code blocks. */
const lineMarkup = /^(#{1,6}$|>|[-=*_+]+$|```|~~~)/;

/** Only the first character of a word is escaped, so that the word itself doesn't change. */
function startsMarkup(text: string, isAtLineStart: boolean): boolean {
  return inlineMarkup.test(text) || text.startsWith('|') || (isAtLineStart && lineMarkup.test(text));
}

/** Writes the blocks of a region. */
export function writeBlocks(writer: MarkdownWriter, blocks: readonly Block[]): void {
  let lists: NestedList[] = [];
  for (const block of blocks) {
    if (block.kind === 'figure') {
      writer.addFigure(block.index);
      lists = [];
      continue;
    }
    if (block.kind === 'list-item' && lists.length > 0) writer.write('\n');
    else writer.startBlock();
    lists = block.kind === 'list-item' ? writeListItem(writer, block, lists) : [];
    if (block.kind === 'heading') writer.write(`${'#'.repeat(block.level)} `);
    if (block.kind === 'table') writeTable(writer, block);
    else if (block.kind !== 'list-item') writeLines(writer, block.lines);
  }
}

const maxListDepth = 8;

/** A list whose items may follow, from outside to inside. */
interface NestedList {
  readonly left: number;
  /** Where its text starts in the Markdown, which is where a list in it has to start. */
  readonly textColumn: number;
}

/** @returns the lists that the item is in */
function writeListItem(
  writer: MarkdownWriter,
  { left, minIndent, lines }: ListItem,
  lists: NestedList[],
): NestedList[] {
  const outer = lists.filter((list) => list.left < left - minIndent).slice(0, maxListDepth);
  const [line, ...others] = lines;
  const [marker, ...words] = line?.words ?? [];
  if (line === undefined || marker === undefined) return outer;
  const indent = outer.at(-1)?.textColumn ?? 0;
  writer.write(' '.repeat(indent));
  // Markdown supports few other bullets.
  const text = isBullet(marker.text) ? '-' : marker.text;
  writer.writeMarker({ ...marker, text });
  writeLines(writer, [{ ...line, words }, ...others]);
  return [...outer, { left, textColumn: indent + text.length + 1 }];
}

function writeTable(writer: MarkdownWriter, { rows }: Table): void {
  rows.forEach((row, index) => {
    for (const lines of row) {
      writer.write('| ');
      writeLines(
        writer,
        lines.map((words) => ({ words, startsNewLine: false })),
      );
      writer.write(' ');
    }
    writer.write('|\n');
    if (index === 0) writer.write(`${row.map(() => '| --- ').join('')}|\n`);
  });
}

/** Writes lines as flowing text, and joins words that were divided at the end of a line. */
function writeLines(writer: MarkdownWriter, lines: readonly ParagraphLine[]): void {
  let pending: TextLine = [];
  lines.forEach(({ words, startsNewLine }, index) => {
    const [last, first] = [pending.at(-1), words[0]];
    const joined = last !== undefined && first !== undefined ? joinAtHyphen(last, first) : undefined;
    if (joined === undefined) {
      writer.writeWords(pending);
      if (index > 0) writer.write(startsNewLine ? '\n' : spaceBetween(last, first));
      pending = words;
      return;
    }
    const complete = pending.slice(0, -1);
    writer.writeWords(complete);
    if (complete.length > 0) writer.write(' ');
    pending = [joined, ...words.slice(1)];
  });
  writer.writeWords(pending);
}

const hyphenated = /[\p{L}\p{N}][-\u2010\u00ad]$/u;
/** A word that was divided: it ends with its only hyphen, after at least two letters. */
const divided = /^[^-\u2010]*\p{L}{2}[-\u2010]$/u;
const softHyphen = '\u00ad';
/** In "two- and three-digit", the hyphen stands for the rest of the word. */
const conjunctions = /^(and|or|to|und|oder|bzw|sowie|et|ou|y)\P{L}*$/u;
/** First parts of compounds such as "well-known". "self-ish" is divided. */
const compoundStarts = /^\P{L}*(well|self|half|cross)-$/iu;
const minCompoundEnd = 4;

/** Joins the last word of a line with the first one of the next, if the line break divides a word or follows its hyphen. */
function joinAtHyphen(first: TextWord, second: TextWord): TextWord | undefined {
  if (!hyphenated.test(first.text) || !/^[\p{L}\p{N}]/u.test(second.text) || conjunctions.test(second.text))
    return undefined;
  const isDivided = divided.test(first.text) && /^\p{Ll}/u.test(second.text) && !isCompound(first.text, second.text);
  const start = isDivided || first.text.endsWith(softHyphen) ? first.text.slice(0, -1) : first.text;
  const confidence = Math.min(first.confidence, second.confidence);
  return { text: start + second.text, confidence, box: second.box };
}

function isCompound(first: string, second: string): boolean {
  return compoundStarts.test(first) && second.length >= minCompoundEnd;
}

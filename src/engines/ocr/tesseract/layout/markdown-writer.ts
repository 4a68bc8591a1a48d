import type { WordConfidence } from '../../ocr-engine.js';
import { maxPageMarkdownLength } from '../limits.js';
import { PageFailure } from '../worker/opened-document.js';
import type { TextWord } from './text.js';

/** Collects Markdown, and where in it each word stands. */
export class MarkdownWriter {
  /** Finished blocks, each with the blank line after it. Joined once at the end, or many blocks take quadratic time. */
  private readonly blocks: string[] = [];
  private blocksLength = 0;
  private block = '';
  private readonly words: WordConfidence[] = [];

  constructor(private readonly limit = maxPageMarkdownLength) {}

  /**
   * Adds text that is no word of the page.
   *
   * @throws PageFailure when the page gets too long
   */
  write(text: string): void {
    if (this.length + text.length > this.limit) {
      throw new PageFailure(`has more than ${this.limit} characters of Markdown.`);
    }
    this.block += text;
  }

  writeWord({ text, confidence }: Pick<TextWord, 'text' | 'confidence'>): void {
    this.words.push({ text, confidence, startIndex: this.length });
    this.write(text);
  }

  /** Words with a blank between them. */
  writeWords(words: readonly TextWord[]): void {
    words.forEach((word, index) => {
      if (index > 0) this.write(' ');
      this.writeWord(word);
    });
  }

  /** Begins a block, apart from what was written before. */
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

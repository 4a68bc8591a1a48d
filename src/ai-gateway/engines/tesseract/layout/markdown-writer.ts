import type { WordConfidence } from '../../ocr-engine.js';
import type { TextWord } from './text.js';

/** Collects Markdown, and where in it each word stands. */
export class MarkdownWriter {
  private markdown = '';
  private readonly words: WordConfidence[] = [];

  /** Text that is no word of the page. */
  write(text: string): void {
    this.markdown += text;
  }

  writeWord({ text, confidence }: Pick<TextWord, 'text' | 'confidence'>): void {
    this.words.push({ text, confidence, startIndex: this.markdown.length });
    this.markdown += text;
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
    if (this.markdown !== '') this.markdown = `${this.markdown.trimEnd()}\n\n`;
  }

  finish(): { markdown: string; words: WordConfidence[] } {
    return { markdown: this.markdown.trimEnd(), words: this.words };
  }
}

import type { ReadPage, WordConfidence } from '../ocr-engine.js';
import type { PackedWords, ReadAnswer } from './worker-messages.js';

/** A page as it came from a worker. A thousand pages wait for the last one, so their words stay packed until asked for. */
export class PackedPage implements ReadPage {
  readonly markdown: string;
  readonly dimensions: ReadPage['dimensions'];
  private readonly packed: PackedWords;

  constructor(
    readonly index: number,
    { markdown, dimensions, words }: ReadAnswer,
  ) {
    this.markdown = markdown;
    this.dimensions = dimensions;
    this.packed = words;
  }

  get words(): WordConfidence[] {
    const { starts, lengths, confidences } = this.packed;
    return Array.from(starts, (startIndex, index) => ({
      text: this.markdown.slice(startIndex, startIndex + (lengths[index] ?? 0)),
      confidence: confidences[index] ?? 0,
      startIndex,
    }));
  }
}

/** The reverse of {@link PackedPage.words}. */
export function packWords(words: readonly WordConfidence[]): PackedWords {
  return {
    starts: Uint32Array.from(words, ({ startIndex }) => startIndex),
    lengths: Uint32Array.from(words, ({ text }) => text.length),
    confidences: Float64Array.from(words, ({ confidence }) => confidence),
  };
}

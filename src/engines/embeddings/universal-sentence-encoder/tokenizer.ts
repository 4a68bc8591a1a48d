import type { VocabularyEntry } from './model-files.js';
import { none, PieceTrie, root } from './piece-trie.js';
import { unknownToken } from './model-shape.js';
import { normalizedChunks } from './text-chunks.js';

const space = 0x20;
/** Marks the start of a word. In pieces, it only occurs as the first character. */
const wordStart = 0x2581;

/**
 * Implements SentencePiece's unigram segmentation: the most probable way to split a text into pieces.
 *
 * No piece spans the start of a word or an unknown character, so the runs between these are segmented one by one. Takes
 * linear time. Memory is proportional to the longest run, which is cut where it must exceed `maxTokens`.
 */
export class Tokenizer {
  private readonly trie: PieceTrie;
  private readonly wordStartSymbol: number;
  private readonly lattice = new Lattice();

  constructor(vocabulary: readonly VocabularyEntry[]) {
    this.trie = new PieceTrie(vocabulary);
    this.wordStartSymbol = this.trie.symbolOf(wordStart);
    if (this.wordStartSymbol === none) throw new Error('The vocabulary has no symbol for the start of a word.');
  }

  /**
   * Returns the text's token ids; none for a text of whitespace and control characters. If the text has more than
   * `maxTokens`, returns only the first ones, but at least `maxTokens + 1`.
   */
  encode(text: string, maxTokens: number): Uint16Array<ArrayBuffer> {
    const tokenIds: number[] = [];
    // Any segmentation of a run this long has more than maxTokens tokens.
    const maxRunLength = this.trie.maxPieceLength * (maxTokens + 1);
    let run: number[] = [];
    let atWordStart = true;
    const endRun = (): void => {
      this.lattice.segment(this.trie, run, tokenIds);
      run = [];
    };
    for (const chunk of normalizedChunks(text)) {
      for (const character of chunk) {
        const codePoint = character.codePointAt(0) ?? space;
        if (codePoint === space) {
          atWordStart = true;
          continue;
        }
        if (atWordStart) {
          endRun();
          run.push(this.wordStartSymbol);
          atWordStart = false;
        }
        const symbol = this.trie.symbolOf(codePoint);
        if (symbol === none) {
          endRun();
          // The model was trained with consecutive unknown characters as one token.
          if (tokenIds.at(-1) !== unknownToken) tokenIds.push(unknownToken);
        } else {
          run.push(symbol);
        }
        if (run.length >= maxRunLength) endRun();
        if (tokenIds.length > maxTokens) return Uint16Array.from(tokenIds);
      }
    }
    endRun();
    return Uint16Array.from(tokenIds);
  }
}

/** Table of the Viterbi algorithm, reused because most runs are only a few symbols long. */
class Lattice {
  private bestScores = new Float64Array(256);
  private pieceStarts = new Int32Array(256);
  private pieceTokens = new Int32Array(256);

  /** Appends the tokens of the most probable segmentation. */
  segment(trie: PieceTrie, run: readonly number[], tokenIds: number[]): void {
    if (run.length === 0) return;
    this.reset(run.length);
    for (let start = 0; start < run.length; start += 1) this.extendFrom(trie, run, start);
    const reversed: number[] = [];
    for (let end = run.length; end > 0; end = this.pieceStarts[end] ?? 0) {
      reversed.push(this.pieceTokens[end] ?? unknownToken);
    }
    for (let index = reversed.length - 1; index >= 0; index -= 1) tokenIds.push(reversed[index] ?? unknownToken);
  }

  /** Tries every piece that begins at `start`. On a tie, the segmentation with the shortest last piece wins. */
  private extendFrom(trie: PieceTrie, run: readonly number[], start: number): void {
    const scoreBefore = this.bestScores[start] ?? 0;
    let node = root;
    for (let end = start; end < run.length; end += 1) {
      node = trie.child(node, run[end] ?? none);
      if (node === none) return;
      const token = trie.tokenAt(node);
      if (token === none) continue;
      const score = scoreBefore + trie.scoreAt(node);
      if (score < (this.bestScores[end + 1] ?? 0)) continue;
      this.bestScores[end + 1] = score;
      this.pieceStarts[end + 1] = start;
      this.pieceTokens[end + 1] = token;
    }
  }

  private reset(runLength: number): void {
    if (runLength >= this.bestScores.length) {
      const size = 2 ** Math.ceil(Math.log2(runLength + 1));
      this.bestScores = new Float64Array(size);
      this.pieceStarts = new Int32Array(size);
      this.pieceTokens = new Int32Array(size);
    }
    this.bestScores.fill(-Infinity, 1, runLength + 1);
    this.bestScores[0] = 0;
  }
}

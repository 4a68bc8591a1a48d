import type { VocabularyEntry } from './model-files.js';
import { NONE, PieceTrie, ROOT } from './piece-trie.js';
import { normalizedChunks } from './text-chunks.js';

const UNKNOWN_TOKEN = 0;
const SPACE = 0x20;
/** Marks the start of a word; pieces contain it only as their first character. */
const WORD_START = 0x2581;

/**
 * SentencePiece's unigram segmentation: of all ways to cut a text into pieces, the most probable.
 *
 * No piece crosses the start of a word or a character that the vocabulary lacks, so the text is cut there
 * and each run between is solved by itself. Time is linear in the text's length, memory in the longest run,
 * of which no more is looked at than fills `maxTokens`.
 */
export class Tokenizer {
  private readonly trie: PieceTrie;
  private readonly wordStart: number;
  private readonly lattice = new Lattice();

  constructor(vocabulary: readonly VocabularyEntry[]) {
    this.trie = new PieceTrie(vocabulary);
    this.wordStart = this.trie.symbolOf(WORD_START);
    if (this.wordStart === NONE) throw new Error('The vocabulary has no mark for the start of a word.');
  }

  /**
   * Ids of the text's tokens; none for a text of blanks and control characters only. When the text has more
   * than `maxTokens`, the answer is its first `maxTokens + 1` or so: enough to tell, not to embed.
   */
  encode(text: string, maxTokens: number): Uint16Array<ArrayBuffer> {
    const tokenIds: number[] = [];
    // A run this long has more than maxTokens tokens, however it is cut.
    const longestRun = this.trie.longestPiece * (maxTokens + 1);
    let run: number[] = [];
    let atWordStart = true;
    const endRun = (): void => {
      this.lattice.segment(this.trie, run, tokenIds);
      run = [];
    };
    for (const chunk of normalizedChunks(text)) {
      for (const character of chunk) {
        const codePoint = character.codePointAt(0) ?? SPACE;
        if (codePoint === SPACE) {
          atWordStart = true;
          continue;
        }
        if (atWordStart) {
          endRun();
          run.push(this.wordStart);
          atWordStart = false;
        }
        const symbol = this.trie.symbolOf(codePoint);
        if (symbol === NONE) {
          endRun();
          // The model was trained with a stretch of unknown characters as one token.
          if (tokenIds.at(-1) !== UNKNOWN_TOKEN) tokenIds.push(UNKNOWN_TOKEN);
        } else {
          run.push(symbol);
        }
        if (run.length >= longestRun) endRun();
        if (tokenIds.length > maxTokens) return Uint16Array.from(tokenIds);
      }
    }
    endRun();
    return Uint16Array.from(tokenIds);
  }
}

/** Viterbi's table, kept from run to run because most runs are a few symbols long. */
class Lattice {
  private bestScores = new Float64Array(256);
  private pieceStarts = new Int32Array(256);
  private pieceTokens = new Int32Array(256);

  /** Appends the tokens of the most probable segmentation of a run of known symbols. */
  segment(trie: PieceTrie, run: readonly number[], tokenIds: number[]): void {
    if (run.length === 0) return;
    this.reset(run.length);
    for (let start = 0; start < run.length; start += 1) this.extendFrom(trie, run, start);
    const reversed: number[] = [];
    for (let end = run.length; end > 0; end = this.pieceStarts[end] ?? 0) {
      reversed.push(this.pieceTokens[end] ?? UNKNOWN_TOKEN);
    }
    for (let index = reversed.length - 1; index >= 0; index -= 1) tokenIds.push(reversed[index] ?? UNKNOWN_TOKEN);
  }

  /** Tries every piece that begins at `start`. Of equally good cuts the one with the shortest last piece wins. */
  private extendFrom(trie: PieceTrie, run: readonly number[], start: number): void {
    const scoreBefore = this.bestScores[start] ?? 0;
    let node = ROOT;
    for (let end = start; end < run.length; end += 1) {
      node = trie.child(node, run[end] ?? NONE);
      if (node === NONE) return;
      const token = trie.tokenAt(node);
      if (token === NONE) continue;
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

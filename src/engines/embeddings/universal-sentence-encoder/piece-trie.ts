import type { VocabularyEntry } from './model-files.js';

/** Stands for "no such piece" and "no such symbol". */
export const NONE = -1;
export const ROOT = 0;

/** The first ids of the vocabulary are control tokens, never part of a text. */
const RESERVED_TOKENS = 6;
/** Upper bound of symbols; keeps `node * SYMBOL_SPACE + symbol` a small integer, which makes look-ups fast. */
const SYMBOL_SPACE = 1024;

/** The vocabulary's pieces by their prefixes: a search ends at the first symbol that continues no piece. */
export class PieceTrie {
  /** Symbols of the longest piece. */
  readonly longestPiece: number;
  private readonly symbols = new Map<number, number>();
  private readonly children = new Map<number, number>();
  private readonly tokenIds: number[] = [NONE];
  private readonly scores: number[] = [0];

  constructor(vocabulary: readonly VocabularyEntry[]) {
    const pieces = vocabulary.map(([piece]) => Array.from(piece, (symbol) => symbol.codePointAt(0) ?? 0));
    pieces.slice(RESERVED_TOKENS).forEach((piece) => this.addSymbol(piece));
    this.longestPiece = vocabulary.reduce((longest, [, score], tokenId) => {
      if (tokenId < RESERVED_TOKENS) return longest;
      // A lost probability counts as 0, as in the runtime that the weights were published for.
      return Math.max(longest, this.addPiece(pieces[tokenId] ?? [], score ?? 0, tokenId));
    }, 1);
  }

  /** The symbol of a character, or NONE when it is not a piece by itself, thus unknown to the model. */
  symbolOf(codePoint: number): number {
    return this.symbols.get(codePoint) ?? NONE;
  }

  /** The node reached by one more symbol, or NONE when no piece goes on like this. */
  child(node: number, symbol: number): number {
    return this.children.get(node * SYMBOL_SPACE + symbol) ?? NONE;
  }

  /** The token that ends at this node, or NONE. */
  tokenAt(node: number): number {
    return this.tokenIds[node] ?? NONE;
  }

  /** Log probability of the token that ends at this node. */
  scoreAt(node: number): number {
    return this.scores[node] ?? 0;
  }

  private addSymbol(piece: readonly number[]): void {
    const [codePoint] = piece;
    if (piece.length !== 1 || codePoint === undefined || this.symbols.has(codePoint)) return;
    if (this.symbols.size === SYMBOL_SPACE) throw new Error('The vocabulary has too many different characters.');
    this.symbols.set(codePoint, this.symbols.size);
  }

  /** Returns the piece's length, or 0 when it holds a character that is no piece by itself. */
  private addPiece(piece: readonly number[], score: number, tokenId: number): number {
    const symbols = piece.map((codePoint) => this.symbolOf(codePoint));
    if (symbols.includes(NONE)) return 0;
    const node = symbols.reduce((parent, symbol) => this.findOrAddChild(parent, symbol), ROOT);
    this.tokenIds[node] = tokenId;
    this.scores[node] = score;
    return symbols.length;
  }

  private findOrAddChild(parent: number, symbol: number): number {
    const known = this.child(parent, symbol);
    if (known !== NONE) return known;
    const node = this.tokenIds.push(NONE) - 1;
    this.scores.push(0);
    this.children.set(parent * SYMBOL_SPACE + symbol, node);
    return node;
  }
}

import type { VocabularyEntry } from './model-files.js';

/** Returned if there is no matching symbol, node or token. */
export const none = -1;
export const root = 0;

/** The vocabulary starts with control tokens, which never occur in a text. */
const reservedTokens = 6;
/** Keeps `node * maxSymbols + symbol` a small integer, which makes lookups fast. */
const maxSymbols = 1024;

/** A trie of the vocabulary's pieces. A piece is a sequence of symbols; a symbol is a character of the vocabulary. */
export class PieceTrie {
  /** Length of the longest piece, in symbols. */
  readonly maxPieceLength: number;
  private readonly symbols = new Map<number, number>();
  private readonly children = new Map<number, number>();
  private readonly tokenIds: number[] = [none];
  private readonly scores: number[] = [0];

  constructor(vocabulary: readonly VocabularyEntry[]) {
    const pieces = vocabulary.map(([piece]) => Array.from(piece, (symbol) => symbol.codePointAt(0) ?? 0));
    pieces.slice(reservedTokens).forEach((piece) => this.addSymbol(piece));
    this.maxPieceLength = vocabulary.reduce((max, [, score], tokenId) => {
      if (tokenId < reservedTokens) return max;
      // A missing probability counts as 0, as in the reference runtime.
      return Math.max(max, this.addPiece(pieces[tokenId] ?? [], score ?? 0, tokenId));
    }, 1);
  }

  /** Returns the symbol of a character. Characters that aren't pieces themselves are unknown to the model. */
  symbolOf(codePoint: number): number {
    return this.symbols.get(codePoint) ?? none;
  }

  /** Returns the node for one more symbol if any piece continues with it. */
  child(node: number, symbol: number): number {
    return this.children.get(node * maxSymbols + symbol) ?? none;
  }

  /** Returns the token that ends at this node. */
  tokenAt(node: number): number {
    return this.tokenIds[node] ?? none;
  }

  /** Returns the log probability of the token that ends at this node. */
  scoreAt(node: number): number {
    return this.scores[node] ?? 0;
  }

  private addSymbol(piece: readonly number[]): void {
    const [codePoint] = piece;
    if (piece.length !== 1 || codePoint === undefined || this.symbols.has(codePoint)) return;
    if (this.symbols.size === maxSymbols) throw new Error('The vocabulary has too many distinct characters.');
    this.symbols.set(codePoint, this.symbols.size);
  }

  /** Returns the piece's length, or 0 if it contains an unknown character. */
  private addPiece(piece: readonly number[], score: number, tokenId: number): number {
    const symbols = piece.map((codePoint) => this.symbolOf(codePoint));
    if (symbols.includes(none)) return 0;
    const node = symbols.reduce((parent, symbol) => this.findOrAddChild(parent, symbol), root);
    this.tokenIds[node] = tokenId;
    this.scores[node] = score;
    return symbols.length;
  }

  private findOrAddChild(parent: number, symbol: number): number {
    const known = this.child(parent, symbol);
    if (known !== none) return known;
    const node = this.tokenIds.push(none) - 1;
    this.scores.push(0);
    this.children.set(parent * maxSymbols + symbol, node);
    return node;
  }
}

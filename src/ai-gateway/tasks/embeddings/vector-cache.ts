import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { EmbeddingEngine, TokenizedTexts } from '../../../engines/embeddings/embedding-engine.js';
import type { EngineClient } from '../../../engines/engine-client.js';

/** Longer texts rarely repeat, and hashing thousands of them would block the event loop. */
const maxTextLength = 8192;
/** Memory of an entry, excluding its vector: hash, list pointers and objects. Measured with 100,000 entries. */
const entryBytes = 1024;

/** The texts of a request. */
interface CachedTexts {
  readonly engine: EmbeddingEngine;
  /** Id of the model. */
  readonly model: string;
  readonly texts: readonly string[];
  readonly tokens: TokenizedTexts;
}

/**
 * Keeps the vectors of texts, least recently used dropped first. Entries belong to an organization: how long a request
 * takes must not reveal what others have embedded.
 */
export class VectorCache {
  hits = 0;
  misses = 0;
  /** Undefined if the cache is off. */
  private readonly vectors: LRUCache<string, Float32Array> | undefined;

  /** @param maxBytes 0 turns the cache off */
  constructor(maxBytes: number) {
    if (maxBytes === 0) return;
    const sizeCalculation = (vector: Float32Array) => vector.byteLength + entryBytes;
    this.vectors = new LRUCache({ maxSize: maxBytes, sizeCalculation });
  }

  get bytes(): number {
    return this.vectors?.calculatedSize ?? 0;
  }

  /**
   * Returns one vector per text, in order. The engine embeds those that aren't cached.
   *
   * @throws errors of `engine.embed`
   */
  async embed(request: CachedTexts, signal: AbortSignal, client: EngineClient): Promise<Float32Array[]> {
    const { engine, model, texts, tokens } = request;
    const { vectors } = this;
    if (vectors === undefined) return engine.embed(tokens, signal, client);
    const keys = texts.map((text) =>
      text.length > maxTextLength ? undefined : hash('sha256', `${client.organizationId}\n${model}\n${text}`, 'base64'),
    );
    const results = keys.map((key) => (key === undefined ? undefined : vectors.get(key)));
    const missing = [...results.keys()].filter((index) => results[index] === undefined);
    this.hits += results.length - missing.length;
    this.misses += missing.length;
    const embedded = await engine.embed(tokens.pick(missing), signal, client);
    missing.forEach((index, position) => {
      const [key, vector] = [keys[index], embedded[position]];
      results[index] = vector;
      if (key !== undefined && vector !== undefined) vectors.set(key, vector);
    });
    return results.filter((vector) => vector !== undefined);
  }
}

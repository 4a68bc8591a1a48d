import type { BenchDatabase } from '../data/bench-database.js';
import { insertKnownKeys } from '../data/keys.js';
import { makeSentences } from '../data/sentences.js';
import { withChildren } from '../processes/child.js';
import type { Load, LoadResult } from '../processes/load-generator.js';
import { type Figures, measureInRounds, median, medianRatio } from '../rounds.js';
import { quantity, ratioRow, type Row } from '../row.js';
import type { KeycardSettings, Listening } from '../servers/keycard.js';
import { embeddingsRequest } from './embeddings.js';

const connections = 64;
const rounds = 5;
const warmUpSeconds = 3;
const roundSeconds = 2;
const embeddingsCacheMb = 64;
const knownSentences = 1024;
/** More than the service can embed in a round. */
const requestsPerRound = 16_000;
const percentages = [0, 50, 90];

const scripts = {
  generator: new URL('../processes/load-generator.js', import.meta.url),
  cached: new URL('../servers/keycard.js', import.meta.url),
  plain: new URL('../servers/keycard.js', import.meta.url),
};

/** Compares the service with and without the cache of vectors, at different shares of repeated texts. */
export function measureEmbeddingsCache({ client, connection }: BenchDatabase): Promise<Row[]> {
  return withChildren(scripts, async ({ generator, cached, plain }) => {
    const [key = ''] = await insertKnownKeys(client);
    const settings: KeycardSettings = { database: connection };
    const cachedUrl = (await cached.run<Listening>({ ...settings, embeddingsCacheMb })).url;
    const plainUrl = (await plain.run<Listening>(settings)).url;
    const known = makeSentences(knownSentences);
    const load = async (url: string, sentences: readonly string[], seconds: number) => {
      const requests = sentences.map((sentence) => embeddingsRequest(sentence, key));
      const task: Load = { url, connections, seconds, requests };
      return (await generator.run<LoadResult>(task)).requestsPerSecond;
    };
    for (const url of [cachedUrl, plainUrl]) await load(url, known, warmUpSeconds);
    let seed = 1;
    const measure = (url: string, percentage: number) => () => {
      const fresh = makeSentences(requestsPerRound, ++seed);
      const isKnown = (index: number) => (index * 37) % 100 < percentage;
      const mixed = fresh.map((sentence, index) => (isKnown(index) ? known[index % knownSentences] : sentence) ?? '');
      return load(url, mixed, roundSeconds);
    };
    const rows: Row[] = [];
    for (const percentage of percentages) {
      const contenders = { cached: measure(cachedUrl, percentage), plain: measure(plainUrl, percentage) };
      rows.push(toRow(await measureInRounds(rounds, contenders), percentage));
    }
    return rows;
  });
}

function toRow({ cached, plain }: Figures<'cached' | 'plain'>, percentage: number): Row {
  const comparison = {
    what: `POST /v1/embeddings, embedded engine with cache, ${percentage}% repeated texts`,
    measured: quantity(median(cached), 'texts/s'),
    against: `without cache: ${quantity(median(plain), 'texts/s')}`,
    explanation: `${connections} clients, sentences of 20 words, one per request, with \`EMBEDDINGS_CACHE_MB=${embeddingsCacheMb}\` against the same requests without it. Repeated texts are among ${knownSentences} that were embedded before, others are new.`,
  };
  return ratioRow(comparison, medianRatio(cached, plain), undefined);
}

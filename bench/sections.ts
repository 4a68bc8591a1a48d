import type { BenchDatabase } from './data/bench-database.js';
import { measureForwarding } from './forwarding/measure.js';
import type { Row } from './row.js';
import { measureAborts } from './sections/aborts.js';
import { measureAddedLatency } from './sections/added-latency.js';
import { measureAuditWrites } from './sections/audit-writes.js';
import { measureAuthenticatedRequest } from './sections/authenticated-request.js';
import { measureAuthorize } from './sections/authorize.js';
import { measureBetterAuth } from './sections/better-auth.js';
import { measureBilling } from './sections/billing.js';
import { measureBudgetCosts } from './sections/budget-costs.js';
import { measureEmbeddings } from './sections/embeddings.js';
import { measureEmbeddingsCache } from './sections/embeddings-cache.js';
import { measureFirstVisit } from './sections/first-visit.js';
import { measureIdleProcess } from './sections/idle-process.js';
import { measureWorkers } from './sections/instances.js';
import { measureLargestBodies } from './sections/largest-bodies.js';
import { measureLimits } from './sections/limits.js';
import { measureListing } from './sections/listing.js';
import { measureManyUsedKeys } from './sections/many-used-keys.js';
import { measureMetricsCost } from './sections/metrics-cost.js';
import { measureOcr } from './sections/ocr.js';
import { measureOverload } from './sections/overload.js';
import { measureReplicas } from './sections/replicas.js';
import { measureRetention } from './sections/retention.js';
import { measureScrape } from './sections/scrape.js';
import { measureStreams } from './sections/streams.js';
import { measureVerifier } from './sections/verifier.js';
import { measureWebhooks } from './sections/webhooks.js';
import { type Table, tableOf } from './table.js';

/** A part of the benchmark that can be run alone. */
interface Section {
  /** Heading of its tables in the report, which it may share with other sections. */
  topic: string;
  measure: (database: BenchDatabase) => Promise<Table[]>;
}

/** In running order: after `listing`, the table has a million keys. Topics are reported in the order of their first section. */
export const sections: Readonly<Record<string, Section>> = {
  gateway: { topic: 'Forwarding requests', measure: measureForwarding },
  listing: rows('Lists of 100,000 keys', measureListing),
  latency: rows('Forwarding requests', measureAddedLatency),
  request: rows('Verifying keys', measureAuthenticatedRequest),
  verifier: rows('Verifying keys', measureVerifier),
  'better-auth': rows('Verifying keys', measureBetterAuth),
  limits: rows('Limits', measureLimits),
  'budget-costs': rows('Limits', measureBudgetCosts),
  aborts: rows('Limits', measureAborts),
  billing: rows('Recorded tokens and the bill', measureBilling),
  streams: rows('Streams', measureStreams),
  replicas: rows('Several replicas', measureReplicas),
  workers: rows('Several workers', measureWorkers),
  metrics: rows('Metrics', measureMetricsCost),
  scrape: rows('Metrics', measureScrape),
  authorize: rows('Protecting services behind nginx', measureAuthorize),
  embeddings: rows('Embeddings inside Keycard', measureEmbeddings),
  cache: rows('Embeddings inside Keycard', measureEmbeddingsCache),
  ocr: rows('OCR inside Keycard', measureOcr),
  overload: rows('Other requests during heavy ones', measureOverload),
  bodies: rows('Other requests during heavy ones', measureLargestBodies),
  audit: rows('Audit log', measureAuditWrites),
  webhooks: rows('Webhooks', measureWebhooks),
  retention: rows('A year of usage', measureRetention),
  'used-keys': rows('Usage of 100,000 keys', measureManyUsedKeys),
  visit: rows('Dashboard', measureFirstVisit),
  idle: rows('Start and memory', measureIdleProcess),
};

/** A section with one table, which is left out without rows. */
function rows(topic: string, measure: (database: BenchDatabase) => Promise<Row[]>): Section {
  const toTables = (measured: readonly Row[]) => (measured.length === 0 ? [] : [tableOf(measured)]);
  return { topic, measure: async (database) => toTables(await measure(database)) };
}

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { measureBudgets } from './budgets/measure.js';
import { formatBudgetsReport } from './budgets/report.js';
import { measureCapacity } from './capacity/measure.js';
import { formatCapacityReport } from './capacity/report.js';
import { measureStandbys } from './capacity/standby.js';
import { formatComparison, slowerPaths } from './compare/comparison.js';
import { measureCommit } from './compare/measure.js';
import { type BenchDatabase, startBenchDatabase } from './data/bench-database.js';
import { formatReport, formatTable } from './report.js';
import { measurePeers } from './peers/measure.js';
import { formatPeersReport } from './peers/report.js';
import type { Row } from './row.js';
import { measureAborts } from './sections/aborts.js';
import { measureAuditWrites } from './sections/audit-writes.js';
import { measureAuthenticatedRequest } from './sections/authenticated-request.js';
import { measureAuthorize } from './sections/authorize.js';
import { measureBilling } from './sections/billing.js';
import { measureBudgetCosts } from './sections/budget-costs.js';
import { measureEmbeddings } from './sections/embeddings.js';
import { measureEmbeddingsCache } from './sections/embeddings-cache.js';
import { measureFirstVisit } from './sections/first-visit.js';
import { measureGateway } from './sections/gateway.js';
import { measureIdleProcess } from './sections/idle-process.js';
import { measureLargestBodies } from './sections/largest-bodies.js';
import { measureLimits } from './sections/limits.js';
import { measureListing } from './sections/listing.js';
import { measureManyUsedKeys } from './sections/many-used-keys.js';
import { measureOcr } from './sections/ocr.js';
import { measureOverload } from './sections/overload.js';
import { measureMetricsCost } from './sections/metrics-cost.js';
import { measureReplicas } from './sections/replicas.js';
import { measureRetention } from './sections/retention.js';
import { measureScrape } from './sections/scrape.js';
import { measureStreams } from './sections/streams.js';
import { measureVerifier } from './sections/verifier.js';
import { measureWebhooks } from './sections/webhooks.js';
import { measureWorkers } from './sections/instances.js';

/** In running order: after `listing`, the table has a million keys. */
const sections = {
  listing: measureListing,
  request: measureAuthenticatedRequest,
  verifier: measureVerifier,
  limits: measureLimits,
  'budget-costs': measureBudgetCosts,
  aborts: measureAborts,
  gateway: measureGateway,
  billing: measureBilling,
  streams: (database: BenchDatabase) => measureStreams(database),
  replicas: measureReplicas,
  workers: measureWorkers,
  metrics: measureMetricsCost,
  scrape: measureScrape,
  authorize: measureAuthorize,
  embeddings: measureEmbeddings,
  cache: measureEmbeddingsCache,
  ocr: measureOcr,
  overload: measureOverload,
  bodies: measureLargestBodies,
  audit: measureAuditWrites,
  webhooks: measureWebhooks,
  retention: measureRetention,
  'used-keys': measureManyUsedKeys,
  visit: measureFirstVisit,
  idle: measureIdleProcess,
};
const results = new URL('../../bench/results.md', import.meta.url);
const budgetsResults = new URL('../../bench/budgets.md', import.meta.url);
const capacityResults = new URL('../../bench/capacity.md', import.meta.url);
const peersResults = new URL('../../bench/peers.md', import.meta.url);

// process.exit stops the database and removes its folder.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

const chosen = process.argv.slice(2);
if (chosen.includes('peers')) await benchPeers();
else if (chosen.includes('budgets')) await benchBudgets();
else if (chosen.includes('capacity')) await benchCapacity();
else if (chosen[0] === 'compare') await benchCommit(chosen[1] ?? 'HEAD');
else await benchSpeed();

async function benchSpeed(): Promise<void> {
  const database = await startBenchDatabase();
  const rows: Row[] = [];
  try {
    for (const [name, measure] of Object.entries(sections)) {
      if (chosen.length > 0 && !chosen.includes(name)) continue;
      console.log(`Measuring ${name} …`);
      rows.push(...(await measure(database)));
    }
  } finally {
    // Prints results even if a later section failed.
    console.log(`\n${formatTable(rows)}\n`);
    await database.stop();
  }
  // Partial runs, such as `npm run bench -- verifier`, don't overwrite the results.
  if (chosen.length === 0) writeFileSync(results, formatReport(rows));
}

/** Has a separate report, because it downloads other projects. */
async function benchPeers(): Promise<void> {
  console.log('Measuring peers …');
  const database = await startBenchDatabase();
  try {
    const rows = await measurePeers(database);
    console.log(`\n${formatTable(rows)}\n`);
    writeFileSync(peersResults, formatPeersReport(rows));
  } finally {
    await database.stop();
  }
}

/** Has a separate report, because it predicts what other machines do. */
async function benchCapacity(): Promise<void> {
  const database = await startBenchDatabase();
  try {
    const standbys = await measureStandbys();
    await writeReport(capacityResults, formatCapacityReport(await measureCapacity(database), standbys));
  } finally {
    await database.stop();
  }
}

async function writeReport(file: URL, text: string): Promise<void> {
  const options = { ...(await resolveConfig(fileURLToPath(file))), parser: 'markdown' };
  const report = await format(text, options);
  console.log(`\n${report}\n`);
  writeFileSync(file, report);
}

/** Compares the working tree with a commit. Exits with 1 if a hot path became slower. */
async function benchCommit(commit: string): Promise<void> {
  const database = await startBenchDatabase();
  try {
    const comparison = await measureCommit(commit, database);
    console.log(`\n${await format(formatComparison(comparison), { parser: 'markdown' })}`);
    const slower = slowerPaths(comparison).map(({ name }) => name);
    if (slower.length === 0) return;
    console.log(`Slower than before: ${slower.join('; ')}.`);
    process.exitCode = 1;
  } finally {
    await database.stop();
  }
}

/** Has a separate report, because it checks a promise and takes minutes. */
async function benchBudgets(): Promise<void> {
  console.log('Measuring budgets …');
  const database = await startBenchDatabase();
  try {
    await writeReport(budgetsResults, formatBudgetsReport(await measureBudgets(database)));
  } finally {
    await database.stop();
  }
}

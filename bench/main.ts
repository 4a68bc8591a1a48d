import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { measureBudgets } from './budgets/measure.js';
import { formatBudgetsReport } from './budgets/report.js';
import { measureCapacity } from './capacity/measure.js';
import { formatCapacityReport } from './capacity/report.js';
import { measureStandbys } from './capacity/standby.js';
import { type Comparison, formatComparison, slowerPaths } from './compare/comparison.js';
import { measureCommit, measureNode } from './compare/measure.js';
import { startBenchDatabase } from './data/bench-database.js';
import { formatReport, formatTopics } from './report.js';
import { sections } from './sections.js';
import type { Table } from './table.js';

const results = new URL('../../bench/results.md', import.meta.url);
const budgetsResults = new URL('../../bench/budgets.md', import.meta.url);
const capacityResults = new URL('../../bench/capacity.md', import.meta.url);

// One for each process and folder that must not outlive this one.
process.setMaxListeners(50);
// process.exit stops the database and removes its folder.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

const chosen = process.argv.slice(2);
if (chosen.includes('budgets')) await benchBudgets();
else if (chosen.includes('capacity')) await benchCapacity();
else if (chosen[0] === 'compare') await benchCommit(chosen[1] ?? 'HEAD');
else if (chosen[0] === 'node') await benchNode(chosen[1] ?? 'latest');
else await benchSpeed();

async function benchSpeed(): Promise<void> {
  const unknown = chosen.filter((name) => !Object.hasOwn(sections, name));
  if (unknown.length > 0) throw new Error(`Unknown: ${unknown.join(', ')}. Use: ${Object.keys(sections).join(', ')}.`);
  const database = await startBenchDatabase();
  const topics = new Map<string, Table[]>();
  try {
    for (const [name, { topic, measure }] of Object.entries(sections)) {
      if (chosen.length > 0 && !chosen.includes(name)) continue;
      console.log(`Measuring ${name} …`);
      topics.set(topic, [...(topics.get(topic) ?? []), ...(await measure(database))]);
    }
  } finally {
    // Prints results even if a later section failed.
    console.log(`\n${formatTopics(topics)}\n`);
    await database.stop();
  }
  // Partial runs, such as `npm run bench -- verifier`, don't overwrite the results.
  if (chosen.length === 0) writeFileSync(results, await formatReport(topics));
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
    await printComparison(comparison);
    const slower = slowerPaths(comparison).map(({ name }) => name);
    if (slower.length === 0) return;
    console.log(`Slower than before: ${slower.join('; ')}.`);
    process.exitCode = 1;
  } finally {
    await database.stop();
  }
}

/** Compares another version of Node with the running one. */
async function benchNode(version: string): Promise<void> {
  const database = await startBenchDatabase();
  try {
    await printComparison(await measureNode(version, database));
  } finally {
    await database.stop();
  }
}

async function printComparison(comparison: Comparison): Promise<void> {
  console.log(`\n${await format(formatComparison(comparison), { parser: 'markdown' })}`);
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

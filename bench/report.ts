import { cpus, loadavg } from 'node:os';
import { differences, peerLines } from './peers/differences.js';
import { formatTable, type Table } from './table.js';

/** The tables of each topic, by its title. */
export type Topics = ReadonlyMap<string, readonly Table[]>;

/** Formats the topics, each with a heading; leaves out those without figures. */
export function formatTopics(topics: Topics): string {
  return [...topics]
    .filter(([, tables]) => tables.length > 0)
    .map(([title, tables]) => [`## ${title}`, ...tables.map(formatTable)].join('\n\n'))
    .join('\n\n');
}

/** Formats `bench/results.md`. */
export async function formatReport(topics: Topics): Promise<string> {
  const processors = cpus();
  return [
    '# Benchmark results',
    '',
    'Written by `npm run bench`, which installs other projects from npm into a temporary folder, and includes nginx and',
    'HAProxy if they are installed. Figures are medians over interleaved rounds. Ratios are medians of the ratios in each',
    'round; they vary less between machines than figures. Load generator, services, upstream and database share the',
    'processors.',
    '',
    `- Date: ${new Date().toISOString().slice(0, 10)}`,
    `- Node ${process.version}`,
    `- ${processors.length} × ${processors[0]?.model.trim()}`,
    `- Load average over the last 15 minutes, benchmark included: ${loadavg()[2]?.toFixed(1)}`,
    ...(await peerLines()),
    '',
    formatTopics(topics),
    '',
    differences,
    '',
  ].join('\n');
}

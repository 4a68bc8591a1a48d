import { writeFileSync } from 'node:fs';
import { measureQuality } from './measure.js';
import { formatQualityReport, formatQualityTable } from './report.js';

const results = new URL('../../../document-reader/bench/quality.md', import.meta.url);

console.log('Measuring quality …');
const measured = await measureQuality();
console.log(`\n${formatQualityTable(measured)}\n`);
writeFileSync(results, formatQualityReport(measured));

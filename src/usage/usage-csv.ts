import { csvLine } from '../common/rules/csv-line.js';
import { usageHeader, usageRows } from '../common/rules/usage-rows.js';
import type { UsageReportDto } from './dto/usage-report.dto.js';

/** A CSV file with the points of a report, or with its totals if it has no points. */
export function toUsageCsv(report: UsageReportDto): string {
  return [usageHeader(report.groupBy), ...usageRows(report)].map(csvLine).join('');
}

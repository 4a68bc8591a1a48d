import type { UsageReport } from '../../../api/schema.js';
import { exportedGroups, type UsagePeriod } from '../filters/usage-period.js';
import { filterOf, type UsageSearch } from '../search.js';
import { currentPeriod, requestReport, toQuery } from '../usage.js';
import type { AllUsage } from './deduct-repeats.js';
import { reportFileName, type ReportPages, toReportCsv } from './report-csv.js';

/**
 * Reads what the page shows, but all groups instead of the busiest, page by page, as a CSV file. Without a split, the page
 * lists models.
 */
export async function exportUsage(search: UsageSearch): Promise<{ name: string; csv: string }> {
  const period = currentPeriod(search);
  const { tagPrefix } = search;
  const groupBy = search.groupBy === 'none' ? 'model' : search.groupBy;
  const limit = exportedGroups(period);
  const read = (page: number) =>
    requestReport({ ...toQuery(period), groupBy, tagPrefix, limit, page, ...filterOf(search) });
  // Before the tags: requests in between then seem to be counted repeatedly, instead of too rarely.
  const all = groupBy === 'tag' ? await readAll(period, search) : undefined;
  const first = await read(1);
  const pages: [UsageReport, ...UsageReport[]] = [first];
  for (let page = 2; page <= countPages(first, limit); page++) pages.push(await read(page));
  return {
    name: reportFileName(groupBy, period, tagPrefix, filterOf(search)),
    csv: toReportCsv(pages satisfies ReportPages, period, tagPrefix, all),
  };
}

async function readAll(period: UsagePeriod, search: UsageSearch): Promise<AllUsage> {
  const report = await requestReport({ ...toQuery(period), ...filterOf(search) });
  return { report, isRunning: Date.parse(report.to) > Date.now() };
}

function countPages({ groups, others }: UsageReport, limit: number): number {
  return Math.ceil((groups.length + (others?.groupCount ?? 0)) / limit);
}

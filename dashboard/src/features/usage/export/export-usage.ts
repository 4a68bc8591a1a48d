import type { UsageReport } from '../../../api/schema.js';
import { exportedGroups } from '../filters/usage-period.js';
import { filterOf, type UsageSearch } from '../search.js';
import { currentPeriod, requestReport, toQuery } from '../usage.js';
import { reportFileName, type ReportPages, toReportCsv } from './report-csv.js';

/** Reads what the page shows, but all groups instead of the busiest, page by page, as a CSV file. */
export async function exportUsage(search: UsageSearch): Promise<{ name: string; csv: string }> {
  const period = currentPeriod(search);
  const { groupBy, tagPrefix } = search;
  const limit = groupBy === 'none' ? undefined : exportedGroups(period);
  const read = (page?: number) =>
    requestReport({ ...toQuery(period), groupBy, tagPrefix, limit, page, ...filterOf(search) });
  const first = await read();
  const pages: [UsageReport, ...UsageReport[]] = [first];
  for (let page = 2; page <= countPages(first, limit); page++) pages.push(await read(page));
  return {
    name: reportFileName(groupBy, period, tagPrefix, filterOf(search)),
    csv: toReportCsv(pages satisfies ReportPages, period, tagPrefix),
  };
}

function countPages({ groups, others }: UsageReport, limit = Infinity): number {
  return Math.ceil((groups.length + (others?.groupCount ?? 0)) / limit);
}

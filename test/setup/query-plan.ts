/** A node of the output of `explain (analyze, format json)`. */
export interface PlanNode {
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

/** The most rows that PostgreSQL read in one node. */
export function rowsReadBy(node: PlanNode): number {
  const ownRows = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0);
  return Math.max(ownRows, ...(node.Plans ?? []).map(rowsReadBy));
}

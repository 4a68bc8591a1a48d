/** A node of the output of `explain (analyze, format json)`. */
export interface PlanNode {
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  /** Such as `CTE chunks`, for the plan of `with chunks as (…)`. */
  'Subplan Name'?: string;
  Plans?: PlanNode[];
}

/** The node and all below it. */
export function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

/** The most rows that PostgreSQL read in one node. */
export function rowsReadBy(node: PlanNode): number {
  const ownRows = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0);
  return Math.max(ownRows, ...(node.Plans ?? []).map(rowsReadBy));
}

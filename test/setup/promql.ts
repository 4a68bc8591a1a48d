/** A metric and the labels that a query selects or groups it by. */
export interface MetricUse {
  metric: string;
  labels: string[];
}

/** Words of PromQL that look like names of metrics. */
const keywords = new Set(['by', 'without', 'and', 'or', 'unless', 'on', 'ignoring']);

/** Returns the metrics of a PromQL query; labels of `by (…)` count for all of them. */
export function metricsOf(query: string): MetricUse[] {
  const grouped = [...query.matchAll(/\b(?:by|without) \(([^)]*)\)/g)].flatMap(([, labels = '']) => namesOf(labels));
  const rest = query.replace(/\b(?:by|without) \([^)]*\)/g, '').replace(/\[[^\]]*\]/g, '');
  return [...rest.matchAll(/\b([a-z_][a-z0-9_]*)\b(?:\{([^}]*)\})?(?!\s*\()/g)]
    .filter(([, metric = '']) => !keywords.has(metric))
    .map(([, metric = '', selector = '']) => ({
      metric,
      labels: [...namesOf(selector.replace(/"[^"]*"/g, '')), ...grouped],
    }));
}

const namesOf = (text: string): string[] => text.match(/[a-z_][a-z0-9_]*/g) ?? [];

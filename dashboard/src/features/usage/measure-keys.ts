/** All measures in the URL of the usage page, in the order in which they are shown. The first visit can't load all meters. */
export const measureKeys = [
  'cost',
  'requests',
  'failures',
  'limited',
  'inputTokens',
  'cachedInputTokens',
  'cacheWriteTokens',
  'cacheWrite1hTokens',
  'outputTokens',
  'reasoningTokens',
  'pages',
  'latency',
  'firstToken',
] as const;

export type MeasureKey = (typeof measureKeys)[number];

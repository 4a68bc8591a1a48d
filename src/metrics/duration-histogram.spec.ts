import { AggregatorRegistry, Histogram, Registry } from 'prom-client';
import { bucketSeconds, DurationHistogram } from './duration-histogram.js';

const metric = { name: 'duration_seconds', help: 'Duration, in seconds.', labelNames: ['method', 'route'] };
const observations = [
  ...[0, 0.0004, 0.005, 0.0051, 3, 120, 120.5].map((seconds) => ({ method: 'GET', route: '/v1/models', seconds })),
  { method: 'POST', route: '/v1/models', seconds: 0.2 },
  { method: 'POST', route: '', seconds: 7 },
];

describe('DurationHistogram', () => {
  const own = new Registry();
  const original = new Registry();
  beforeAll(() => {
    const histogram = new DurationHistogram(metric);
    own.registerMetric(histogram);
    const counterpart = new Histogram({ ...metric, buckets: bucketSeconds, registers: [original] });
    for (const { seconds, ...labels } of observations) {
      histogram.record(labels, seconds);
      counterpart.observe(labels, seconds);
    }
  });

  it('should write the same text as the histogram of prom-client', async () => {
    const text = await own.metrics();
    expect(text).toContain('duration_seconds_bucket{le="0.005",method="GET",route="/v1/models"} 3');
    expect(text).toBe(await original.metrics());
  });

  it('should add up for several instances like the histogram of prom-client', async () => {
    const addTwice = async (registry: Registry) => {
      const instance = await registry.getMetricsAsJSON();
      return AggregatorRegistry.aggregate([instance, instance]).metrics();
    };
    const text = await addTwice(own);
    expect(text).toContain('duration_seconds_count{method="GET",route="/v1/models"} 14');
    expect(text).toBe(await addTwice(original));
  });
});

import { UpstreamHealth } from './upstream-health.js';

describe('UpstreamHealth', () => {
  it('should report the 95th percentile of the last 200 responses', () => {
    const health = new UpstreamHealth();
    expect(health.p95Milliseconds).toBeNull();
    health.recordResponse(7);
    expect(health.p95Milliseconds).toBe(7);
    for (let milliseconds = 1; milliseconds <= 200; milliseconds++) health.recordResponse(milliseconds);
    expect(health.p95Milliseconds).toBe(190);
  });
});

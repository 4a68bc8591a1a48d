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

  it('should report the share of failures among the last 200 outcomes', () => {
    const health = new UpstreamHealth();
    expect(health.errorShare).toBeNull();
    health.recordError('responded 503', 1);
    expect(health.errorShare).toBe(1);
    for (let count = 0; count < 3; count++) health.recordResponse(1);
    expect(health.errorShare).toBe(0.25);
    for (let count = 0; count < 197; count++) health.recordResponse(1);
    expect(health.errorShare).toBe(0);
  });
});

import { describeModel, describeUpstream } from './describe-state.js';

const closed = { circuit: 'closed', errorShare: 0 } as const;

describe('describeUpstream', () => {
  it('should only call an upstream healthy if it was used and none of its latest requests failed', () => {
    expect(describeUpstream(closed).label).toBe('Healthy');
    expect(describeUpstream({ ...closed, errorShare: null }).label).toBe('Idle');
    expect(describeUpstream({ ...closed, errorShare: 0.005 }).label).toBe('Some errors');
    expect(describeUpstream({ ...closed, errorShare: 0.5 }).label).toBe('Failing');
    expect(describeUpstream({ circuit: 'open', errorShare: 0 }).label).toBe('Paused after failures');
    expect(describeUpstream({ circuit: 'half-open', errorShare: 1 }).label).toBe('Recovering');
  });
});

describe('describeModel', () => {
  const stateOf = (...shares: (number | null)[]) =>
    describeModel({ engine: null, upstreams: shares.map((errorShare) => ({ ...closed, errorShare })) });

  it('should be the state of the upstreams if they share it, and else count the healthy ones', () => {
    expect(stateOf(null, null).label).toBe('Idle');
    expect(stateOf(0, null).label).toBe('Healthy');
    expect(stateOf(1, 1).label).toBe('Failing');
    expect(stateOf(0, 1)).toEqual({ label: '1 of 2 healthy', color: 'yellow' });
    expect(stateOf(0.1, 1)).toEqual({ label: '0 of 2 healthy', color: 'red' });
  });

  it('should be the state of the engine of an embedded model', () => {
    const engine = { name: 'tesseract', state: 'failed' } as const;
    expect(describeModel({ engine, upstreams: [] }).label).toBe('Failed');
  });
});

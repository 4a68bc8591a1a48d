import type { ModelEngine, ModelUpstream, ServedModel } from '../../api/schema.js';

/** What to expect from a model or an upstream. */
export interface State {
  label: string;
  color: 'teal' | 'yellow' | 'red' | 'gray';
}

const healthy: State = { label: 'Healthy', color: 'teal' };
const unused: State = { label: 'Idle', color: 'gray' };

const engineStates = {
  idle: unused,
  ready: healthy,
  failed: { label: 'Failed', color: 'red' },
} satisfies Record<ModelEngine['state'], State>;

type Health = Pick<ModelUpstream, 'circuit' | 'errorShare'>;

/** The state of an upstream. It's only healthy if none of its latest requests failed. */
export function describeUpstream({ circuit, errorShare }: Health): State {
  if (circuit === 'open') return { label: 'Paused after failures', color: 'red' };
  if (circuit === 'half-open') return { label: 'Recovering', color: 'yellow' };
  if (errorShare === null) return unused;
  if (errorShare === 0) return healthy;
  return errorShare < 0.5 ? { label: 'Some errors', color: 'yellow' } : { label: 'Failing', color: 'red' };
}

/** The state of a model: that of what serves it, or how many of its upstreams are in a good one. */
export function describeModel({ engine, upstreams }: Pick<ServedModel, 'engine'> & { upstreams: Health[] }): State {
  if (engine !== null) return engineStates[engine.state];
  const states = upstreams.map(describeUpstream);
  const [first = unused] = states;
  if (states.every(({ label }) => label === first.label)) return first;
  const good = states.filter(({ color }) => color === 'teal' || color === 'gray').length;
  if (good === states.length) return healthy;
  return { label: `${good} of ${states.length} healthy`, color: good === 0 ? 'red' : 'yellow' };
}

import { Circuit, type Outcome, type Pass } from './upstream-client.js';

const settings = { failuresToOpen: 3, minPauseMilliseconds: 1000, maxPauseMilliseconds: 3000 };

describe('Circuit', () => {
  let now: number;
  let circuit: Circuit;
  beforeEach(() => {
    now = 0;
    circuit = new Circuit(settings, () => now);
  });

  function enter(): Pass {
    const pass = circuit.enter();
    if (pass === undefined) throw new Error('The circuit is open.');
    return pass;
  }
  const send = (...outcomes: Outcome[]) => outcomes.forEach((outcome) => circuit.leave(enter(), outcome));
  const open = () => send('failure', 'failure', 'failure');

  it('should open only after consecutive failures', () => {
    send('failure', 'failure', 'success', 'failure', 'unknown', 'failure');
    expect(circuit.millisecondsToProbe()).toBe(0);
    send('failure');
    expect(circuit.enter()).toBeUndefined();
    expect(circuit.millisecondsToProbe()).toBe(1000);
  });

  it('should let one probe through after its pause', () => {
    open();
    now = 999;
    expect(circuit.enter()).toBeUndefined();
    now = 1000;
    expect(enter().isProbe).toBe(true);
    expect(circuit.enter()).toBeUndefined();
  });

  it('should close after a successful probe, and reset its count', () => {
    open();
    now = 1000;
    send('success', 'failure', 'failure');
    expect(enter().isProbe).toBe(false);
    send('failure');
    expect(circuit.millisecondsToProbe()).toBe(1000);
  });

  it('should pause longer after each failed probe, up to a limit', () => {
    open();
    for (const pause of [2000, 3000, 3000]) {
      now += circuit.millisecondsToProbe();
      send('failure');
      expect(circuit.millisecondsToProbe()).toBe(pause);
    }
  });

  it('should let another probe through after a canceled one', () => {
    open();
    now = 1000;
    send('unknown');
    expect(enter().isProbe).toBe(true);
  });

  it('should ignore requests sent before it opened', () => {
    const [early, late] = [enter(), enter()];
    open();
    circuit.leave(early, 'failure');
    circuit.leave(late, 'success');
    expect(circuit.millisecondsToProbe()).toBe(1000);
    expect(circuit.enter()).toBeUndefined();
  });
});

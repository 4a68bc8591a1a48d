import type { ChildProcess } from 'node:child_process';
import cluster, { type Worker } from 'node:cluster';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { StartupError } from '../common/startup-error.js';
import type { InstanceShare } from '../common/instance-share.js';
import { youngGenerationFlags } from '../common/young-generation.js';
import { RemoteCalls } from './remote-calls.js';
import type { Metrics, PrimaryMethods, InstanceMethods, InstanceSettings } from './instance-methods.js';

const exec = fileURLToPath(new URL('./instance.js', import.meta.url));

/** An instance, as the primary sees it. It loads the application right away, and waits for `start`. */
export class InstanceProcess {
  /** Resolves to how it ended, such as `signal SIGKILL`. */
  readonly ended: Promise<string>;
  /** The last ones that were read. */
  metrics: Metrics = [];
  /** Calls a function of the instance; throws StartupError once it has ended. */
  readonly call: RemoteCalls<InstanceMethods>['call'];
  private readonly child: Worker;
  private readonly loaded: Promise<void>;

  constructor(readonly share: InstanceShare) {
    cluster.schedulingPolicy = cluster.SCHED_RR;
    const execArgv = [...process.execArgv, '--enable-source-maps', ...youngGenerationFlags];
    // Unlike JSON, `advanced` keeps undefined, NaN and errors.
    cluster.setupPrimary({ exec, execArgv, args: [], serialization: 'advanced' });
    this.child = cluster.fork();
    closeUnaccepted(this.child.process);
    const { promise, methods } = listenToInstance();
    this.loaded = promise;
    const calls = new RemoteCalls<InstanceMethods>(this.child, methods);
    this.call = calls.call.bind(calls);
    this.ended = this.watch();
    void this.ended.then((how) => calls.close(new StartupError(`Instance ${this.name} ended with ${how}.`)));
  }

  get name(): number {
    return this.share.index + 1;
  }

  /** Has it listen. Returns the URL. */
  async start(settings: Omit<InstanceSettings, 'share'>): Promise<string> {
    // Earlier messages could get lost.
    await Promise.race([this.loaded, this.ended]);
    return this.call('start', { ...settings, share: this.share });
  }

  async kill(): Promise<void> {
    this.child.process.kill('SIGKILL');
    await this.ended;
  }

  private watch(): Promise<string> {
    return new Promise((resolve) => {
      this.child.once('exit', (code, signal) => resolve(signal ? `signal ${signal}` : `exit code ${code}`));
      // Also emitted for messages that can't be sent; `exit` follows.
      this.child.on('error', (error) => {
        if (this.child.process.pid === undefined) resolve(error.message);
      });
    });
  }
}

/** What the instance calls, and a promise that resolves when it has loaded the application. */
function listenToInstance(): { promise: Promise<void>; methods: PrimaryMethods } {
  let onLoaded: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => (onLoaded = resolve));
  return { promise, methods: { loaded: () => onLoaded(), turn: () => nextTurn() } };
}

/**
 * Closes the connections that an instance hadn't accepted yet when it ended. Node only closes its side of a connection when
 * the instance has accepted it, so the client would wait for a response forever.
 */
function closeUnaccepted(instance: ChildProcess): void {
  /** The last connection that each listener has passed to the instance; the next one follows when it's accepted. */
  const passed = new Map<unknown, { close: () => void }>();
  const send = instance.send.bind(instance) as (...sent: unknown[]) => boolean;
  instance.send = (message: { act?: string; key?: unknown }, ...others: unknown[]) => {
    if (message.act === 'newconn') passed.set(message.key, others[0] as { close: () => void });
    return send(message, ...others);
  };
  instance.once('exit', () => {
    // Closing twice does nothing.
    for (const handle of passed.values()) handle.close();
  });
}

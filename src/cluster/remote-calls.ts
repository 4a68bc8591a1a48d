import { StartupError } from '../common/startup-error.js';

/** Functions with one parameter at most that another process can call. */
type Methods = Record<string, (argument: never) => unknown>;

/** The end of a message channel, such as `process` of a child or the child's process in its parent. */
interface Channel {
  on: (event: 'message', listener: (message: unknown) => void) => unknown;
  send?: (message: object, done: (error: Error | null) => void) => unknown;
}

interface Call {
  id: number;
  method: string;
  argument: unknown;
}

interface Outcome {
  id: number;
  value?: unknown;
  failure?: { error: unknown; isStartupError: boolean };
}

interface Pending {
  resolve: (value: never) => void;
  reject: (reason: unknown) => void;
}

/** Calls functions of another process, and has it call the functions of this one. */
export class RemoteCalls<Remote extends Methods> {
  private readonly pending = new Map<number, Pending>();
  private lastId = 0;
  private closedBecause: Error | undefined;

  constructor(
    private readonly channel: Channel,
    private readonly methods: Methods,
  ) {
    channel.on('message', (message) => {
      if ('method' in (message as Call | Outcome)) void this.execute(message as Call);
      else this.settle(message as Outcome);
    });
  }

  /** @throws what the function throws, or the reason of `close` */
  call<Name extends string & keyof Remote>(
    method: Name,
    ...[argument]: Parameters<Remote[Name]>
  ): Promise<Awaited<ReturnType<Remote[Name]>>> {
    if (this.closedBecause !== undefined) return Promise.reject(this.closedBecause);
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      this.pending.set(id, { resolve, reject });
      this.send({ id, method, argument });
    });
  }

  /** Rejects calls without an outcome, and all further ones. */
  close(reason: Error): void {
    this.closedBecause = reason;
    for (const { reject } of this.pending.values()) reject(reason);
    this.pending.clear();
  }

  private async execute({ id, method, argument }: Call): Promise<void> {
    try {
      this.send({ id, value: await this.methods[method]?.(argument as never) });
    } catch (error) {
      this.send({ id, failure: { error, isStartupError: error instanceof StartupError } });
    }
  }

  private settle({ id, value, failure }: Outcome): void {
    const pending = this.pending.get(id);
    this.pending.delete(id);
    if (failure === undefined) pending?.resolve(value as never);
    else pending?.reject(failure.isStartupError ? toStartupError(failure.error) : failure.error);
  }

  private send(message: Call | Outcome): void {
    // Ignores failures: the other process has then ended, and its exit is handled elsewhere.
    this.channel.send?.(message, () => undefined);
  }
}

/** Messages don't keep the classes of errors. */
function toStartupError(error: unknown): StartupError {
  return new StartupError(error instanceof Error ? error.message : String(error));
}

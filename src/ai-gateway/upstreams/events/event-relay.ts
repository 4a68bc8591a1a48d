import type { Dispatcher } from 'undici';
import { ClientGoneError } from '../../../common/errors/client-gone-error.js';
import { toAppError } from '../../../common/errors/to-app-error.js';
import type { ExchangeControl, ResponseRelay } from '../response-relay.js';
import { invalidResponse, UpstreamFailure } from '../upstream-failure.js';
import type { EventResponse } from './event-response.js';

/** How long a stream may pause. */
const defaultIdleSeconds = 120;

/** Passes on a stream of events, from the first event on. */
export class EventRelay implements ResponseRelay {
  readonly isClientAtFault = false;
  private isForwarding = false;

  constructor(
    private readonly exchange: ExchangeControl,
    private readonly controller: Dispatcher.DispatchController,
    private readonly events: EventResponse,
  ) {
    if (exchange.isDraining) events.drain();
  }

  get mayDrain(): boolean {
    return !this.events.isComplete;
  }

  receive(chunk: Buffer): void {
    const { events } = this;
    events.receive(chunk);
    if (!this.isForwarding && events.hasBegun) this.begin();
    else if (events.isDrainedEnough) this.exchange.fail(new ClientGoneError());
  }

  end(): void {
    const { events, exchange } = this;
    if (!events.finish()) throw invalidResponse(exchange.upstream.target, 'ended before its last event');
    if (!this.isForwarding) exchange.begin(events);
    exchange.finish(events.hasFailed ? 'failure' : 'success');
  }

  break(error: Error): void {
    this.exchange.fail(error);
  }

  onFail(reason: Error): void {
    if (!this.isForwarding) return;
    const { events, exchange } = this;
    const error = reason instanceof UpstreamFailure ? reason.clientError : toAppError(reason);
    if (!(reason instanceof ClientGoneError)) {
      if (!events.isComplete) exchange.request.usage.failure = error;
      exchange.onCut(reason);
    }
    events.break(error);
  }

  drain(): void {
    this.events.drain();
  }

  close(): void {
    this.events.close();
  }

  /** The first event has arrived: from here on, only the stream itself can tell the client of a failure. */
  private begin(): void {
    const { events, exchange, controller } = this;
    if (exchange.hasFailed) return;
    const { timeoutSeconds, idleSeconds = defaultIdleSeconds } = exchange.upstream.target;
    exchange.endProbe();
    exchange.deadline.pause();
    this.isForwarding = true;
    events.open({
      pause: () => controller.pause(),
      resume: () => controller.resume(),
      leave: () => exchange.hangUp(),
      cancel: () => controller.abort(new ClientGoneError()),
      onLate: (seconds) => exchange.failLate(seconds),
      idleSeconds,
      endsAt: exchange.endsAt,
      timeoutSeconds,
    });
    exchange.begin(events);
  }
}

import type { AppError } from '../../../common/errors/app-error.js';
import type { ServerSentEvent } from './server-sent-event.js';

/** Understands the events of one response, in the dialect of its route. */
export interface EventReader {
  /**
   * Notes what an event says.
   *
   * @returns the bytes that the client gets; undefined if it doesn't get the event
   */
  read(event: ServerSentEvent): Buffer | undefined;
  /** Whether the stream goes on, is complete, or has reported an error that ends it. */
  readonly state: 'open' | 'complete' | 'failed';
  /** The event that reports a broken stream to the client. */
  errorEvent(error: AppError): string;
}

/** The client has disconnected: there is no one to respond to, and nothing to report. */
export class ClientGoneError extends Error {
  override name = 'AbortError';

  constructor() {
    super('The client has disconnected.');
  }
}

import pg, { type ClientConfig } from 'pg';

/**
 * pg's client, with a listener for its errors from the first moment. Without one, a server that goes away ends this
 * process; pg's pool and TypeORM leave a gap between them in which a new connection has none.
 */
export class FaultTolerantClient extends pg.Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}

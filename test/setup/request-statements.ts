import { AsyncLocalStorage } from 'node:async_hooks';
import type { Server } from 'node:http';
import { DataSource } from 'typeorm';
import type { TestApp } from './test-app.js';

const requestStatements = new AsyncLocalStorage<string[]>();

/**
 * Sends a request and returns the statements that the app ran for it. Those of background tasks, which may run at the
 * same time, are left out: only the request's own asynchronous calls see the list they are added to.
 *
 * @param send sends one request and returns once the response is complete
 */
export async function statementsOf({ app }: TestApp, send: () => Promise<unknown>): Promise<string[]> {
  const statements: string[] = [];
  const server: Server = app.getHttpServer();
  const emit = server.emit.bind(server) as (...event: unknown[]) => boolean;
  const received = jest
    .spyOn(server, 'emit')
    .mockImplementation((...event: unknown[]) =>
      event[0] === 'request' ? requestStatements.run(statements, () => emit(...event)) : emit(...event),
    );
  const logged = jest.spyOn(app.get(DataSource).logger, 'logQuery').mockImplementation((statement) => {
    requestStatements.getStore()?.push(statement);
  });
  try {
    await send();
    return [...statements];
  } finally {
    received.mockRestore();
    logged.mockRestore();
  }
}

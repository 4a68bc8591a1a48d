import type pg from 'pg';
import { Deadline } from '../common/deadline.js';

type Callback = (error: unknown, result?: unknown) => void;

/**
 * Limits the duration of the client's queries, with promises or callbacks. PostgreSQL keeps running the query, so the
 * connection must not be reused. A query's own `query_timeout` is left to pg.
 *
 * @param milliseconds 0 for no limit
 */
export function limitQueries(client: pg.Client, milliseconds: number): void {
  if (milliseconds === 0) return;
  const original = client.query.bind(client);
  const send = (parameters: unknown[]): unknown => Reflect.apply(original, client, parameters);

  const query = (...parameters: unknown[]): unknown => {
    if (hasOwnLimit(parameters[0])) return send(parameters);
    const callback = parameters.at(-1);
    if (!isCallback(callback)) return limitPromise(send(parameters), milliseconds);
    const deadline = new Deadline(milliseconds, () => callback(timeoutError()));
    parameters[parameters.length - 1] = (error: unknown, result: unknown) => {
      if (deadline.clear()) callback(error, result);
    };
    return send(parameters);
  };
  Object.assign(client, { query });
}

function limitPromise(sent: unknown, milliseconds: number): unknown {
  if (!(sent instanceof Promise)) return sent;
  return new Promise((resolve, reject) => {
    const deadline = new Deadline(milliseconds, () => reject(timeoutError()));
    const settle = (proceed: () => void) => {
      deadline.clear();
      proceed();
    };
    sent.then(
      (result: unknown) => settle(() => resolve(result)),
      (error: Error) => settle(() => reject(error)),
    );
  });
}

function hasOwnLimit(config: unknown): boolean {
  return typeof config === 'object' && config !== null && 'query_timeout' in config;
}

function isCallback(value: unknown): value is Callback {
  return typeof value === 'function';
}

/** The message that pg's own limit uses. */
function timeoutError(): Error {
  return new Error('Query read timeout');
}

import { call } from './call.js';
import type { TestApp } from './test-app.js';

/** What a key was told around the instant at which it ends, judged by the database's clock. */
export interface ObservedEnd {
  /** Requests that began at or after the instant and were accepted. */
  acceptedLate: number;
  /** Requests that were answered before the instant and refused. */
  refusedEarly: number;
}

/** Sends requests with the key, to one replica after the other, until the instant has passed. */
export async function observeEnd(replicas: readonly TestApp[], key: string, end: Date): Promise<ObservedEnd> {
  const observed = { acceptedLate: 0, refusedEarly: 0 };
  for (let wasOver = false; !wasOver;) {
    for (const replica of replicas) {
      wasOver = await isOver(replica, end);
      const { status } = await call(replica.url, 'GET /v1/models', { token: key });
      if (status === 200 && wasOver) observed.acceptedLate++;
      if (status !== 200 && !(await isOver(replica, end))) observed.refusedEarly++;
    }
  }
  return observed;
}

async function isOver({ query }: TestApp, end: Date): Promise<boolean> {
  const [row] = await query<{ isOver: boolean }>('select clock_timestamp() >= $1 as "isOver"', [end]);
  return row?.isOver === true;
}

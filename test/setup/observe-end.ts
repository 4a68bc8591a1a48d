import { call } from './call.js';
import type { TestApp } from './test-app.js';

/** How requests fared around the end of a key, by the database clock. */
export interface ObservedEnd {
  /** Accepted requests that began at or after the end. */
  acceptedLate: number;
  /** Rejected requests that ended before the end. */
  rejectedEarly: number;
}

/** Sends requests with the key to each replica in turn until it has ended. */
export async function observeEnd(replicas: readonly TestApp[], key: string, end: Date): Promise<ObservedEnd> {
  const observed = { acceptedLate: 0, rejectedEarly: 0 };
  for (let wasOver = false; !wasOver;) {
    for (const replica of replicas) {
      wasOver = await isOver(replica, end);
      const { status } = await call(replica.url, 'GET /v1/models', { token: key });
      if (status === 200 && wasOver) observed.acceptedLate++;
      if (status !== 200 && !(await isOver(replica, end))) observed.rejectedEarly++;
    }
  }
  return observed;
}

async function isOver({ query }: TestApp, end: Date): Promise<boolean> {
  const [row] = await query<{ isOver: boolean }>('select clock_timestamp() >= $1 as "isOver"', [end]);
  return row?.isOver === true;
}

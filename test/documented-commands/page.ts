import type { QueryResultRow } from 'pg';
import type { Terminal } from './terminal.js';

/** Where a page is followed. */
export interface Place {
  terminal: Terminal;
  /** The working directory. */
  folder: string;
  /** Of the service, once it runs. */
  url: string;
  /** Addresses, passwords and names of a page, and what they are here. */
  replaced: Record<string, string>;
  /** Runs SQL in `psql`, if the page uses it. */
  query?: (statements: string) => Promise<QueryResultRow[]>;
  remove: () => Promise<void>;
}

/** What a block of a page does. */
export interface Step {
  /** What the reader does before it. */
  before?: (place: Place) => Promise<void>;
  /** The status of each response of curl; without any, none is expected. */
  responses?: number[];
  /** What it prints, on either output. */
  prints?: RegExp;
  /** The exit code, by default 0. */
  status?: number;
  /** Checks what it leaves. */
  after?: (place: Place) => Promise<void>;
}

/** A page, and what its blocks do, in order and without those marked as not run. */
export interface Page {
  file: string;
  /** Prepares what the page presupposes. */
  open: () => Promise<Place>;
  steps: Step[];
}

/** Adds something to stop when the page has been followed. */
export function withCleanup(place: Place, stop: () => Promise<void>): Place {
  const remove = async () => {
    await place.remove();
    await stop();
  };
  return { ...place, remove };
}

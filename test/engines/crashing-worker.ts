/** A worker that dies of its first batch. */
export function embed(): never {
  process.exit(1);
}

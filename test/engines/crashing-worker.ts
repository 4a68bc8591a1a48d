/** A worker that dies of its first batch. */
export default function embed(): never {
  process.exit(1);
}

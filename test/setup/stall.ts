/** Blocks this process, its timers and sockets included, like a machine that pauses. */
export function stall(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

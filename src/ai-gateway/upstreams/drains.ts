/** How many responses are read for nobody at a time. */
const maxDrains = 100;

/** Responses that are read to their end although their clients are gone, to learn what they cost. */
export class Drains {
  private readonly running = new Set<() => void>();

  get isFull(): boolean {
    return this.running.size >= maxDrains;
  }

  /**
   * @param cancel gives the response up
   * @param onEnd called once the drain has ended
   * @returns a function that ends it
   */
  begin(cancel: () => void, onEnd: () => void): () => void {
    this.running.add(cancel);
    return () => {
      if (this.running.delete(cancel)) onEnd();
    };
  }

  /** Gives all of them up. */
  cancelAll(): void {
    for (const cancel of [...this.running]) cancel();
  }
}

/** Called when a step of a move is complete, so that tests can kill the command there. */
export type Step = (name: string) => Promise<void>;

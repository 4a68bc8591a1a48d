/** The reply of a benchmark process to a question. */
export type Reply = { value: unknown } | { failure: string };

/** Answers questions from the parent process, and exits with it. */
export function answerQuestions<Question>(answer: (question: Question) => Promise<unknown>): void {
  const reply = (message: Reply) => process.send?.(message);
  process.on('message', (question) => {
    answer(question as Question).then(
      (value) => reply({ value }),
      (error: unknown) => reply({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
  });
  process.on('disconnect', () => process.exit());
}

/** What a process of the bench says in return to a question. */
export type Reply = { value: unknown } | { failure: string };

/** Answers the questions of the process that started this one, and ends when that one does. */
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

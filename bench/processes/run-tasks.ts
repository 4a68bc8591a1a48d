/** The result of a task, sent by a benchmark process to its parent. */
export type TaskResult = { value: unknown } | { failure: string };

/** Runs each task that the parent process sends, and exits with the parent. */
export function runTasks<Task>(run: (task: Task) => Promise<unknown>): void {
  const send = (result: TaskResult) => process.send?.(result);
  process.on('message', (task) => {
    run(task as Task).then(
      (value) => send({ value }),
      (error: unknown) => send({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
  });
  process.on('disconnect', () => process.exit());
}

import path from 'node:path';
import type { Visitor } from './visitor.js';

const folder = path.join('coverage', 'screenshots');

/** Adds to the error the problems of the open pages and the paths of their screenshots. */
export async function explainFailure(error: unknown, visitors: readonly Visitor[]): Promise<unknown> {
  if (!(error instanceof Error)) return error;
  const problems = visitors.flatMap(({ problems }) => problems.list());
  const screenshots = await takeScreenshots(visitors);
  const explanation = [...problems, ...screenshots.map((file) => `Screenshot: ${file}`)].join('\n');
  // Jest prints the stack, which starts with the message.
  const { message, stack } = error;
  error.message = `${message}\n\n${explanation}`;
  error.stack = stack?.replace(message, () => error.message);
  return error;
}

async function takeScreenshots(visitors: readonly Visitor[]): Promise<string[]> {
  const name = (expect.getState().currentTestName ?? 'test').replace(/[^A-Za-z0-9]+/g, '-').slice(0, 150);
  const pages = visitors.flatMap(({ context }) => context.pages());
  const files = await Promise.all(
    pages.map(async (page, index) => {
      const file = path.join(folder, `${name}-${index + 1}.png`);
      // A crashed page can't be captured; that must not hide why the test failed.
      return page.screenshot({ path: file }).then(
        () => [file],
        () => [],
      );
    }),
  );
  return files.flat();
}

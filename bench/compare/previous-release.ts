import { runCommand } from '../run-command.js';

const ageDays = 7;
const secondsPerDay = 86_400;

interface PreviousRelease {
  /** A tag, or a commit that stands in for it. */
  commit: string;
  isReleased: boolean;
}

/**
 * Finds the newest release before HEAD. Until the first one, the newest commit that is at least a week older than HEAD
 * stands in for it.
 *
 * @throws Error if git knows neither, such as in a shallow clone
 */
export async function findPreviousRelease(): Promise<PreviousRelease> {
  // HEAD^, because HEAD is tagged when a release is measured.
  const tag = await git('describe', '--tags', '--abbrev=0', '--match=v*', 'HEAD^').catch(() => '');
  if (tag !== '') return { commit: tag, isReleased: true };
  const seconds = Number(await git('log', '-1', '--format=%ct'));
  const commit = await git('log', '-1', '--format=%h', `--before=${seconds - ageDays * secondsPerDay}`);
  if (commit === '') throw new Error(`git knows no release and no commit ${ageDays} days older than HEAD.`);
  return { commit, isReleased: false };
}

/** What the report calls the release. */
export function describeRelease({ commit, isReleased }: PreviousRelease, description: string): string {
  if (isReleased) return `The previous release is ${commit} (${description}).`;
  return `There is no release yet: the newest commit at least ${ageDays} days older than this one stands in for the previous release (${description}).`;
}

async function git(...args: string[]): Promise<string> {
  return (await runCommand('git', args)).trim();
}

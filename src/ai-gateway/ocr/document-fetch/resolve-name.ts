import { Resolver } from 'node:dns/promises';

const timeoutMilliseconds = 3000;

/**
 * The addresses that DNS gives for a name; none when there is no such name. The system's own look-up is not used: it
 * waits on threads that all of the process shares, of which a slow name server could take every one, and it completes
 * short names to those of the local network.
 */
export async function resolveName(hostname: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: timeoutMilliseconds, tries: 2 });
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}

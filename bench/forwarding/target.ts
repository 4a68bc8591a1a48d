import type { Load } from '../processes/load-generator.js';
import type { Contender } from './tables.js';

/** Where a contender takes which requests, and the process that handles them. */
export type Target = Pick<Load, 'url' | 'requests'> & { pid: number | undefined };

/** Contenders that aren't installed are missing. */
export type Targets = Partial<Record<Contender, Target>>;

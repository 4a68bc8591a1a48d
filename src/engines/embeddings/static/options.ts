import path from 'node:path';
import { z } from 'zod';
import { text } from '../../../common/validation/settings-schema.js';
import { isFolder, modelOptions, threads } from '../model-options.js';
import { findStaticModelProblem } from './static-model.js';

/** Options of a static model, which has one vector for each token. */
export type StaticOptions = z.output<ReturnType<typeof staticOptions>>;

/** @param folder where relative paths start */
export const staticOptions = (folder: string) =>
  z.strictObject({
    /** Absolute path of the model's folder. */
    source: text('must be a folder like ./models/potion-base-8M', isFolder).transform((value, check) => {
      const source = path.resolve(folder, value);
      const problem = findStaticModelProblem(source);
      if (problem !== undefined) check.addIssue(problem);
      return source;
    }),
    /** Whether vectors are scaled to length 1; by default, as the model's files say. */
    normalize: z.boolean().optional(),
    threads: threads.default(1),
    ...modelOptions,
  });

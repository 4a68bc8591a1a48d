import { existsSync } from 'node:fs';
import path from 'node:path';

/** Where the build puts the dashboard: beside `dist/`, wherever the compiled service itself lies below the project. */
export function findDashboardFolder(): string {
  let project = import.meta.dirname;
  while (!existsSync(path.join(project, 'package.json'))) project = path.dirname(project);
  return path.join(project, 'dashboard', 'dist');
}

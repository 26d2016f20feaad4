import { readdirSync } from 'node:fs';
import path from 'node:path';
import { root } from '../platform/root.ts';

/** Languages of the dashboard, one folder each. */
export const dashboardLanguages = readdirSync(path.join(root, 'src/dashboard/words'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

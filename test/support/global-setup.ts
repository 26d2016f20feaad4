import { execFile } from 'node:child_process';
import path from 'node:path';
import { execPath } from 'node:process';
import { promisify } from 'node:util';
import { isBuilt } from '../../src/web/build-stamp.ts';
import { prepareTemplates } from './template.ts';

/** Builds the pages of customers where that has not been done, so that no journey waits for them. */
async function buildPages(): Promise<void> {
  const script = path.resolve(import.meta.dirname, '../../src/web/build.ts');
  if (!(await isBuilt('pages'))) await promisify(execFile)(execPath, [script, 'pages']);
}

/** Runs once before all test files. */
export default async function prepare(): ReturnType<typeof prepareTemplates> {
  await buildPages();
  return prepareTemplates();
}

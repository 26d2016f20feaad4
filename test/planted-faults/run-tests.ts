import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { failedFilesList } from '../support/failed-files.ts';
import { root } from './copy.ts';

/** Result of a test run: passed, or the file that failed first. */
export type TestRun =
  | { readonly status: 'passed' }
  | { readonly status: 'failed'; readonly file: string | null }
  | { readonly status: 'late' };

const isDomain = (test: string): boolean => test.startsWith('test/domain');

/** Runs test files and folders in a copy. Stops at the first failure or at the time limit. */
export function runTests(copy: string, tests: readonly string[], limitMs: number): Promise<TestRun> {
  const failedFiles = path.join(copy, path.relative(root, failedFilesList));
  rmSync(failedFiles, { force: true });
  const vitest = path.join(copy, 'node_modules/vitest/vitest.mjs');
  const project = tests.every(isDomain)
    ? ['--config=test/planted-faults/vitest.config.ts']
    : ['--project=node'];
  const options = [...project, '--maxWorkers=1', '--bail=1'];
  const { promise, resolve } = Promise.withResolvers<TestRun>();
  // The run has its own process group, so that a worker in an endless loop is killed with it.
  const run = spawn(process.execPath, [vitest, 'run', ...options, ...tests], {
    cwd: copy,
    stdio: 'ignore',
    detached: true,
  });
  const timer = setTimeout(() => {
    resolve({ status: 'late' });
    if (run.pid !== undefined) process.kill(-run.pid, 'SIGKILL');
  }, limitMs);
  run.on('exit', (code) => {
    clearTimeout(timer);
    const [file = null] = existsSync(failedFiles) ? readFileSync(failedFiles, 'utf8').split('\n') : [];
    resolve(code === 0 ? { status: 'passed' } : { status: 'failed', file });
  });
  return promise;
}

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

const root = path.resolve(import.meta.dirname, '../..');

/** Name of the run. Runs at the same time have different names. Defaults to the database. */
const run =
  process.env['TEST_RUN'] ?? (process.env['TEST_DATABASE_URL'] === undefined ? 'embedded' : 'server');

/**
 * Lists the test files that failed in the last run with the same name, one path per line. The list doesn't exist if all files passed, or
 * if a failure doesn't belong to a file.
 */
export const failedFilesList = path.join(root, `.cache/failed-tests-${run}`);

/** Vitest reporter that records failed files for `npm run test:failed`. */
export class FailedFiles implements Reporter {
  onInit(): void {
    rmSync(failedFilesList, { force: true });
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const failed = modules.filter((module) => module.state() === 'failed');
    if (failed.length === 0 || unhandled.length > 0) return;
    mkdirSync(path.dirname(failedFilesList), { recursive: true });
    writeFileSync(failedFilesList, failed.map(({ moduleId }) => path.relative(root, moduleId)).join('\n'));
  }
}

import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { failedFilesList } from './failed-files.ts';

// Reruns the test files that failed in the last run. Browser tests and race tests can fail under load, whereas a real bug fails in both
// runs.

/** Maximum number of files to rerun. If more files fail, the machine's load isn't the cause. */
const most = 8;

const files = existsSync(failedFilesList) ? readFileSync(failedFilesList, 'utf8').split('\n') : [];
if (files.length === 0 || files.length > most) {
  console.error(
    files.length === 0 ? 'No test file is known to have failed.' : `${files.length} test files failed.`,
  );
  process.exit(1);
}
console.log(`Run once more:\n${files.map((file) => `  ${file}`).join('\n')}`);
const vitest = new URL('../../node_modules/vitest/vitest.mjs', import.meta.url).pathname;
spawn(process.execPath, [vitest, 'run', ...files], { stdio: 'inherit' }).on('exit', (code) =>
  process.exit(code ?? 1),
);

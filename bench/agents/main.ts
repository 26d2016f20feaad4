import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { startApp } from '../../test/support/harness.ts';
import { runTask, type Solve, tasks } from './run-task.ts';
import type { Answer } from './task.ts';

// Runs the tasks and prints a report: `node bench/agents/main.ts [--only a,b] [--agent "command"]`. Without `--agent`, the scripted agent solves them.

const { values: options } = parseArgs({
  options: { agent: { type: 'string' }, only: { type: 'string' } },
});

/**
 * Returns the function that runs a program as the agent. The program gets one line of JSON with the task, the addresses, and the key on its standard input. The last
 * line of its output contains the requested values as JSON, and can be empty.
 */
const programOf =
  (command: string): Solve =>
  async (task, start, { url, agentKey }) => {
    const child = spawn(command, { shell: true, stdio: ['pipe', 'pipe', 'inherit'] });
    const given = {
      task: task.id,
      text: task.textOf(start),
      apiKey: agentKey,
      mcp: `${url}/mcp`,
      api: `${url}/api/v1`,
      docs: `${url}/docs`,
    };
    child.stdin.end(`${JSON.stringify(given)}\n`);
    const lines = (await text(child.stdout)).trim().split('\n');
    try {
      return JSON.parse(lines.at(-1) ?? '') as Answer;
    } catch {
      return {};
    }
  };

const t = await startApp({ own: true });
const wanted = options.only?.split(',');
let passes = 0;
const chosen = tasks.filter(({ id }) => wanted?.includes(id) !== false);
for (const task of chosen) {
  const solve = options.agent === undefined ? {} : { solve: programOf(options.agent) };
  const { id, passed, turns, bytes, milliseconds, checks } = await runTask(t, task, solve);
  passes += passed ? 1 : 0;
  console.log(
    `${passed ? 'passed' : 'failed'}  ${id.padEnd(20)} ${turns} calls, ${bytes} bytes, ${milliseconds} ms`,
  );
  for (const { name, passed: isRight, found } of checks)
    if (!isRight) console.log(`        ${name}: found ${JSON.stringify(found)}`);
}
console.log(`${passes} of ${chosen.length} tasks passed`);
await t.close();
process.exitCode = passes === chosen.length ? 0 : 1;

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runTask, tasks } from '../../bench/agents/run-task.ts';
import { startApp, type TestApp } from '../support/harness.ts';

// Benchmark for agents: the scripted agent solves each task, and each grader rejects wrong solutions.

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

test('the benchmark has ten tasks', () => {
  expect(new Set(tasks.map(({ id }) => id)).size).toBe(10);
});

describe.each(tasks.map((task) => [task.id, task] as const))('the task %s', (_id, task) => {
  test('is solved by the scripted agent', async () => {
    const { checks, turns } = await runTask(t, task);
    expect(checks.filter(({ passed }) => !passed)).toEqual([]);
    expect(checks.length).toBeGreaterThan(0);
    expect(turns).toBeLessThanOrEqual(40);
  });

  test.each(Object.keys(task.mistakes))('fails if the agent %s', async (mistake) => {
    const { passed } = await runTask(t, task, { mistake });
    expect(passed).toBe(false);
  });
});

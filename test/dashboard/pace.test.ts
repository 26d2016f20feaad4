import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { paced } from '../../src/dashboard/data/pace.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('reads 20 ms after the first event, and 100 ms after that for all that came meanwhile', () => {
  const run = vi.fn();
  const { call } = paced(run);
  const times: number[] = [];
  const start = performance.now();
  run.mockImplementation(() => times.push(performance.now() - start));
  for (let at = 0; at < 90; at += 10) {
    call();
    vi.advanceTimersByTime(10);
  }
  vi.advanceTimersByTime(2_000);
  expect(times).toEqual([20, 120]);
  call();
  vi.advanceTimersByTime(20);
  expect(times).toEqual([20, 120, 2_110]);
});

it('forgets what is due', () => {
  const run = vi.fn();
  const { call, stop } = paced(run);
  call();
  stop();
  vi.advanceTimersByTime(1_000);
  expect(run).not.toHaveBeenCalled();
});

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { throttled } from '../../src/dashboard/data/throttle.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('a throttled function runs 20 ms after the first call, and once 100 ms later for all further calls', () => {
  const run = vi.fn();
  const { call } = throttled(run);
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

it('a throttled function can be stopped before its scheduled run', () => {
  const run = vi.fn();
  const { call, stop } = throttled(run);
  call();
  stop();
  vi.advanceTimersByTime(1_000);
  expect(run).not.toHaveBeenCalled();
});

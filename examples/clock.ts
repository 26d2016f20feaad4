import type { Client } from './client.ts';

/** State of a test clock run, as reported by its live field. */
export type ClockRun = {
  readonly id: string;
  readonly status: 'pending' | 'running' | 'completed' | 'failed';
  readonly targetTime: string;
  /** Progress of the clock run, from 0 to 1. */
  readonly progress: number;
  readonly cursorTime: string;
  readonly completedDeadlineCount: number;
  readonly failedDeadlineCount: number;
};

const progressField = `subscription ($id: ID!) {
  testClockRunProgress(id: $id) { id status targetTime progress cursorTime completedDeadlineCount failedDeadlineCount }
}`;

/**
 * Advances the test clock over REST and follows the run over WebSocket. Calls `onProgress` for each state and returns the last state. Throws if the
 * run fails.
 */
export async function moveClock(
  seller: Client,
  target: { readonly frozenTime: string } | { readonly advanceDays: number },
  onProgress: (run: ClockRun) => void = () => undefined,
): Promise<ClockRun> {
  const { id } = await seller.post<{ id: string }>('/test-clock', target);
  let last: ClockRun | null = null;
  for await (const { testClockRunProgress: run } of seller.follow<{ testClockRunProgress: ClockRun }>(
    progressField,
    { id },
  )) {
    onProgress(run);
    last = run;
  }
  if (last?.status !== 'completed')
    throw new Error(`The clock run ended with the status ${last?.status ?? 'unknown'}.`);
  return last;
}

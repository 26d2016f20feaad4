import type { Client } from './client.ts';

/** A run of the test clock as its live field tells it. */
export type ClockRun = {
  readonly id: string;
  readonly status: 'pending' | 'running' | 'completed' | 'failed';
  readonly targetTime: string;
  /** How far it has come on its way through time, from 0 to 1. */
  readonly progress: number;
  readonly cursorTime: string;
  readonly completedDeadlineCount: number;
  readonly failedDeadlineCount: number;
};

const progressField = `subscription ($id: ID!) {
  testClockRunProgress(id: $id) { id status targetTime progress cursorTime completedDeadlineCount failedDeadlineCount }
}`;

/**
 * Moves the test clock over REST and follows the run over WebSocket until it ends, telling `onProgress` each state on the way.
 * Answers the last state. Throws when the run could not reach its target.
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
    throw new Error(`The run of the clock ended as ${last?.status ?? 'unknown'}.`);
  return last;
}

import type { Sums } from './comparison.ts';

const mostKept = 20;
const kept = new Map<string, readonly Sums[]>();

/** Keeps what was simulated before a run, so that its result can be compared with it while the tab is open. */
export function keepSimulation(runId: string, sums: readonly Sums[]): void {
  kept.set(runId, sums);
  const [oldest] = kept.keys();
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
}

/** What was simulated before a run; null where that is not known. */
export const simulationOf = (runId: string): readonly Sums[] | null => kept.get(runId) ?? null;

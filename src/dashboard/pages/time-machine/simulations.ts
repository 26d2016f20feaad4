import type { Sums } from './comparison.ts';

const maxSimulations = 20;
const simulations = new Map<string, readonly Sums[]>();

/** Stores the simulation for a run while the tab is open, to compare it with the result. */
export function keepSimulation(runId: string, sums: readonly Sums[]): void {
  simulations.set(runId, sums);
  const [oldest] = simulations.keys();
  if (simulations.size > maxSimulations && oldest !== undefined) simulations.delete(oldest);
}

/** Returns the simulation for a run. `null` if it isn't stored. */
export const simulationOf = (runId: string): readonly Sums[] | null => simulations.get(runId) ?? null;

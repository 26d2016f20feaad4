import type { GraphQLSchema } from 'graphql';
import { recountLoop } from '../modules/catalog/features/worker.ts';
import { exportLoop } from '../modules/exports/exports/worker.ts';
import { exportDeliveryLoop, exportScheduleLoop } from '../modules/exports/schedules/worker.ts';
import { emailLoop } from '../modules/messages/emails/worker/worker.ts';
import { webhookLoop } from '../modules/messages/webhooks/worker/worker.ts';
import { sumLoop } from '../modules/metrics/sums/worker/worker.ts';
import type { App } from '../request/context.ts';
import type { Loop } from '../request/loop.ts';
import { environmentLoop } from './environment-work.ts';
import { scheduledTaskLoop } from './scheduled-tasks.ts';

/**
 * Returns all background loops. Every worker process runs all of them. The leases on the rows divide the work among the processes, so that
 * only one process at a time works on a row, such as an environment or a scheduled task.
 */
export const allLoops = (schema: GraphQLSchema): readonly Loop[] => [
  environmentLoop,
  scheduledTaskLoop,
  webhookLoop,
  emailLoop,
  sumLoop,
  recountLoop,
  exportLoop(schema),
  exportScheduleLoop,
  exportDeliveryLoop,
];

/** Loops that are running in this process. */
export type RunningLoops = {
  /** Starts a search in all loops. */
  readonly wake: () => void;
  /** Completes the current work, then stops all loops and releases their leases. */
  readonly stop: () => Promise<void>;
};

/** Starts loops and counts their visits (`app.visits`). */
export function startLoops(app: App, loops: readonly Loop[]): RunningLoops {
  const running = loops.map((loop) => loop.start(app));
  return {
    wake: () => {
      for (const loop of running) loop.wake();
    },
    stop: async () => {
      await Promise.all(running.map((loop) => loop.stop()));
    },
  };
}

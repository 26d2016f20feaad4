import type { Query } from '../../src/platform/db/pool.ts';
import { eventually } from './eventually.ts';

const active = `SELECT id FROM "TestClockRun" WHERE status IN ('pending', 'running')
  UNION ALL SELECT id FROM "ExampleRun" WHERE status = 'running' LIMIT 1`;

/** Waits until no test clock run and no example run is active in any sandbox. */
export const backgroundSettled = (query: Query): Promise<boolean> =>
  eventually(async () => (await query(active)).length === 0);

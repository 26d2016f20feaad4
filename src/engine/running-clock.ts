/**
 * SQL condition: a clock run is in progress in the environment. The given expression returns the
 * environment's ID. Emails and aggregations wait until the run ends, so that they don't slow it down.
 */
export const isClockRunning = (environment: string): string =>
  `EXISTS (SELECT 1 FROM "TestClockRun" r WHERE r."environmentId" = ${environment} AND r.status IN ('pending', 'running'))`;

/** Whether a clock run of the environment of `row` is at work, as a condition: emails and sums wait meanwhile, so that they do not compete with it. */
export const isClockRunning = (row: string): string =>
  `EXISTS (SELECT 1 FROM "TestClockRun" r WHERE r."environmentId" = ${row}."environmentId" AND r.status IN ('pending', 'running'))`;

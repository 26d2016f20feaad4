/** Whether a clock run of the environment with the id given by an expression is at work, as a condition: emails and sums wait meanwhile, so that they do not compete with it. */
export const isClockRunning = (environment: string): string =>
  `EXISTS (SELECT 1 FROM "TestClockRun" r WHERE r."environmentId" = ${environment} AND r.status IN ('pending', 'running'))`;

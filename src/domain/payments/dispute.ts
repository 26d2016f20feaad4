const dayMs = 86_400_000;

/** How long the bank of the payer waits for an answer to a dispute (PAY-32). */
const answerDays = 20;

/** When an open dispute is to be answered by; null without one, and once it has ended. */
export const disputeDueBy = ({
  disputedAt,
  disputeOutcome,
}: {
  readonly disputedAt: Date | null;
  readonly disputeOutcome: string | null;
}): Date | null =>
  disputedAt === null || disputeOutcome !== null ? null : new Date(disputedAt.getTime() + answerDays * dayMs);

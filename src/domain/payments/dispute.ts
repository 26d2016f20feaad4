import { dayMs } from '../time/period.ts';

/** Number of days that the organization has to respond to a dispute (PAY-32). */
const answerDays = 20;

/** Returns the deadline for the organization's response to a dispute. `null` if no dispute is open. */
export const disputeDueBy = ({
  disputedAt,
  disputeOutcome,
}: {
  readonly disputedAt: Date | null;
  readonly disputeOutcome: string | null;
}): Date | null =>
  disputedAt === null || disputeOutcome !== null ? null : new Date(disputedAt.getTime() + answerDays * dayMs);

// Temporary access to a higher plan, as it is stored (SUB-53 to SUB-58).
import type { PlanGrantDuration, PlanGrantEntryType, PlanGrantSource, PlanGrantStatus } from '../../enums.ts';

/** One thing that happened to a plan grant. Instants are ISO texts. */
export type PlanGrantEntry = {
  readonly id: string;
  readonly type: PlanGrantEntryType;
  readonly reason: string;
  /** Who caused it; `system` for what time causes. */
  readonly source: PlanGrantSource | 'system';
  /** When it was to end before; null at the beginning and when it was open-ended. */
  readonly previousExpiresAt: string | null;
  /** When it is to end, or was to; null while open-ended. */
  readonly expiresAt: string | null;
  /** The requested duration; null for an end. */
  readonly duration: PlanGrantDuration | null;
  readonly durationCycles: number | null;
  readonly requestedExpiresAt: string | null;
  readonly createdAt: string;
};

/** Temporary access of a subscription to another plan. One that has ended never begins again. */
export type PlanGrantRow = {
  readonly id: string;
  readonly seq: bigint | null;
  readonly customerId: string;
  readonly subscriptionId: string;
  /** The plan the subscription pays for. */
  readonly basePlanId: string;
  /** The plan it has access to as well. */
  readonly planId: string;
  readonly planReleaseId: string;
  readonly status: PlanGrantStatus;
  readonly duration: PlanGrantDuration;
  /** Null but for `cycles`. */
  readonly durationCycles: number | null;
  readonly startsAt: Date;
  /** Null until it is revoked. */
  readonly expiresAt: Date | null;
  /** Why it changed last. */
  readonly reason: string;
  /** Who made it. */
  readonly source: PlanGrantSource;
  readonly revokedAt: Date | null;
  /** In order of time. */
  readonly timeline: readonly PlanGrantEntry[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

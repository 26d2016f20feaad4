import type { PlanGrantDuration, PlanGrantEntryType, PlanGrantSource, PlanGrantStatus } from './enums.ts';

/** Change to a plan grant. Times are in ISO 8601. */
export type PlanGrantEntry = {
  readonly id: string;
  readonly type: PlanGrantEntryType;
  readonly reason: string;
  /** Source of the change. `system` if the change was automatic. */
  readonly source: PlanGrantSource | 'system';
  /** Expiration before the change. `null` in the first entry, or if the grant had no expiration. */
  readonly previousExpiresAt: string | null;
  /** Expiration after the change. `null` if the grant doesn't expire. */
  readonly expiresAt: string | null;
  /** Requested duration. `null` if the entry records the end of the grant. */
  readonly duration: PlanGrantDuration | null;
  readonly durationCycles: number | null;
  readonly requestedExpiresAt: string | null;
  readonly createdAt: string;
};

/** Temporary access to a higher plan (SUB-53 to SUB-58). An ended grant can't be restarted. */
export type PlanGrantRow = {
  readonly id: string;
  readonly seq: bigint | null;
  readonly customerId: string;
  readonly subscriptionId: string;
  readonly basePlanId: string;
  readonly planId: string;
  readonly planReleaseId: string;
  readonly status: PlanGrantStatus;
  readonly duration: PlanGrantDuration;
  /** Number of billing periods. `null` unless the duration is `cycles`. */
  readonly durationCycles: number | null;
  readonly startsAt: Date;
  /** Time at which the grant expires. `null` if the grant lasts until it's revoked. */
  readonly expiresAt: Date | null;
  /** Reason given for the latest change to the plan grant. */
  readonly reason: string;
  readonly source: PlanGrantSource;
  readonly revokedAt: Date | null;
  /** Changes to the plan grant, oldest first. */
  readonly timeline: readonly PlanGrantEntry[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

import type { MemberRole } from '../domain/limits/member-roles.ts';
import type { Person } from '../identity/auth.ts';

/** Decision of a member to approve a call and to have it made immediately. `caller` is the member. */
export type RunDecision = {
  readonly caller: {
    readonly kind: 'member';
    readonly person: Person;
    readonly memberId: string;
    readonly role: MemberRole;
  };
  readonly note: string | null;
};

/** Execution of an approved call. */
export type ApprovedRun = {
  readonly approvalId: string;
  /** Decision to record when the approval is used. `null` if a repeated call completes interrupted work. */
  readonly decision: RunDecision | null;
  /** True after this execution has used the approval. */
  isTaken: boolean;
  /** Result of the operation. Undefined before the operation has succeeded. */
  value: unknown;
};

import type { Issue } from '../../../graphql/declare/rules.ts';

/** Mutually exclusive parameters for creating a subscription. */
type Choices = {
  readonly planId?: string | null | undefined;
  readonly planCode?: string | null | undefined;
  readonly offerId?: string | null | undefined;
  readonly promoCode?: string | null | undefined;
  readonly cardPromotionId?: string | null | undefined;
  readonly customTrialDays?: number | null | undefined;
  readonly skipTrial?: boolean | null | undefined;
};

const controls = ['offerId', 'promoCode', 'cardPromotionId', 'customTrialDays', 'skipTrial'] as const;

/** True if the parameter is set. False for `skipTrial: false`. */
const isProvided = (value: string | number | boolean | null | undefined): boolean =>
  value !== null && value !== undefined && value !== false;

/** Returns violations of the rule SUB-6: exactly one of `planId` and `planCode` is required, and at most one offer selection is allowed. */
export function choiceIssues(input: Choices): Issue[] {
  const issues: Issue[] = [];
  if (!isProvided(input.planId) && !isProvided(input.planCode))
    issues.push({ field: 'planId', message: 'is required unless planCode is set' });
  if (isProvided(input.planId) && isProvided(input.planCode))
    issues.push({ field: 'planCode', message: "can't be combined with planId" });
  const [first, ...others] = controls.filter((control) => isProvided(input[control]));
  for (const other of others) issues.push({ field: other, message: `can't be combined with ${first}` });
  return issues;
}

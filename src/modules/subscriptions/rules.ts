import type { Issue } from '../../graphql/rules.ts';

/** The members of a creating call that exclude each other. */
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

/** A control counts when it asks for something: `skipTrial: false` does not. */
const isProvided = (value: string | number | boolean | null | undefined): boolean =>
  value !== null && value !== undefined && value !== false;

/** What is wrong with the shape of a creating call (SUB-6): exactly one of plan id and code, at most one selection control. Empty when nothing is. */
export function choiceIssues(input: Choices): Issue[] {
  const issues: Issue[] = [];
  if (!isProvided(input.planId) && !isProvided(input.planCode))
    issues.push({ field: 'planId', message: 'is required unless planCode is given' });
  if (isProvided(input.planId) && isProvided(input.planCode))
    issues.push({ field: 'planCode', message: 'must not be given together with planId' });
  const [first, ...others] = controls.filter((control) => isProvided(input[control]));
  for (const other of others)
    issues.push({ field: other, message: `must not be given together with ${first}` });
  return issues;
}

import { usePage } from '../data/current-page.ts';
import { dayText } from '../format.ts';
import { Button } from '../parts/button.tsx';
import { useOwn } from './portal-words.ts';
import { KeepPlanDocument } from './steps.graphql';
import type { Speaking, Standing } from './texts.ts';
import type { PortalActions } from './use-portal.ts';

// Number of units now and after the end of the period. `next` is `null` if no decrease is scheduled.

type Counts = { readonly current: number; readonly next: number | null };

/** Describes a scheduled decrease, such as "12 until Jan 26, 2027, then 4". Empty if no decrease is scheduled. */
export function decreaseText(
  { page, own }: Speaking,
  { currentPeriod }: Pick<Standing, 'currentPeriod'>,
  { current, next }: Counts,
): string {
  if (next === null || currentPeriod === null) return '';
  return own.seats.pending({
    current,
    day: dayText(page, currentPeriod.end),
    next,
  });
}

/** Returns the scheduled plan or interval, such as Starter, and the date of the change. `null` if no change is scheduled. */
export function scheduledChange({ page, own }: Speaking, { scheduledPlanChange, billingInterval }: Standing) {
  if (scheduledPlanChange === null) return null;
  const { newPlanName, newBillingInterval, scheduledFor } = scheduledPlanChange;
  const interval =
    newBillingInterval === null ? own.facts.anotherInterval : own.intervals[newBillingInterval];
  const isOther = newBillingInterval !== null && newBillingInterval !== billingInterval;
  const to = newPlanName === null ? interval : isOther ? `${newPlanName} (${interval})` : newPlanName;
  return { to, day: dayText(page, scheduledFor) };
}

/** Button that cancels a scheduled change. The confirmation shows the next charge. */
export function KeepPlanButton({ actions }: { readonly actions: PortalActions }) {
  const { overview } = useOwn();
  return (
    <Button
      id="keep-plan"
      disabled={actions.steps.isBusy}
      onClick={() =>
        actions.buy({
          action: 'scheduledChangeRevoke',
          mutation: KeepPlanDocument,
          input: {},
          title: overview.keepPlanTitle,
          label: overview.keepPlan,
          done: overview.keepPlanDone,
        })
      }
    >
      {overview.keepPlan}
    </Button>
  );
}

/** Shows a scheduled change with a button that cancels it. Not shown if no change is scheduled. */
export function ScheduledChange({
  subscription,
  actions,
}: {
  readonly subscription: Standing;
  readonly actions: PortalActions;
}) {
  const page = usePage();
  const own = useOwn();
  const change = scheduledChange({ page, own }, subscription);
  return change === null ? null : (
    <div id="scheduled-change">
      <p id="scheduled-text">{own.plan.pending(change)}</p>
      <KeepPlanButton actions={actions} />
    </div>
  );
}
